/// The values of one measurement that was made several times.
struct Samples: Sendable {
  var values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// The value in the middle; of two in the middle their mean.
  var median: Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// How far the values lie apart: the largest less the smallest, as a share of the median.
  var spread: Double {
    guard let least = values.min(), let most = values.max(), median != 0 else { return 0 }
    return (most - least) / median
  }
}
