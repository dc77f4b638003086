/// Random numbers that follow from a seed (SplitMix64): the same seed, the same story and picture.
struct Seed: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// The seed that a text stands for.
  static func of(_ text: String) -> UInt64 { SHA256.digest(text).half.first }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// A number from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// A number within bounds.
  mutating func within(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// One of several; they must not be none.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
