import Synchronization

/// Random numbers that come again for the same seed: SplitMix64 (Steele, Lea and Flood, “Fast Splittable
/// Pseudorandom Number Generators”, 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to `bound`, which is not reached. (Slightly uneven, which does no harm here.)
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// `true` once in `number` times.
  package mutating func oneIn(_ number: Int) -> Bool { below(number) == 0 }

  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}

/// The same for many threads.
package final class NumberSource: Sendable {
  private let generator: Mutex<SeededGenerator>

  package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  package func next() -> UInt64 { generator.withLock { $0.next() } }
}
