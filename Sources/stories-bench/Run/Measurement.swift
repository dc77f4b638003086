/// One row of the result.
struct Measurement: Sendable {
  /// What the values are.
  enum Unit: String, Sendable {
    case seconds = "s"
    case bytes
    case count
  }

  /// What has to be reached.
  enum Bound: Sendable {
    /// The value over the limit's, at most.
    case ratio(atMost: Double)
    /// The limit's value over this one, at least: how many times as fast.
    case speed(atLeast: Double)
    /// The value itself, at most.
    case value(atMost: Double)
    /// Nothing: the row is there to be seen.
    case none
  }

  /// The area that it belongs to.
  var area: String
  /// What was measured.
  var what: String
  var unit = Unit.seconds
  var samples: Samples
  /// What it is compared with: measured in the same rounds, in turn.
  var limit: (name: String, samples: Samples)?
  var bound = Bound.none
  /// The largest part of memory that the process held at a time, in bytes.
  var peakMemory: Int?

  /// The ratio of each round's two values, in the middle: what disturbs a round disturbs both.
  var ratio: Double? {
    limit.map { limit in
      Samples(zip(samples.values, limit.samples.values).map { $0 / $1 }).median
    }
  }

  /// Whether the bound is kept; `nil` where there is none.
  var isMet: Bool? {
    switch bound {
    case .ratio(let most): ratio.map { $0 <= most }
    case .speed(let least): ratio.map { 1 / $0 >= least }
    case .value(let most): samples.median <= most
    case .none: nil
    }
  }
}
