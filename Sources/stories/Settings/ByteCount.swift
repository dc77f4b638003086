/// A number of bytes such as `500KiB`, `200MiB`, `2GiB`, or 0.
struct ByteCount: ArgumentValue, Hashable {
  var bytes: Int

  private static let units: [(name: String, shift: Int)] = [
    ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0),
  ]

  static func parse(_ word: String) throws(ValueProblem) -> ByteCount {
    let problem = ValueProblem(expected: "a size with its unit, such as 500KiB, 200MiB or 2GiB")
    if word == "0" { return ByteCount(bytes: 0) }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    let name = word.dropFirst(digits.count)
    guard (1...9).contains(digits.count), let number = Int(digits),
      let unit = units.first(where: { $0.name == name })
    else { throw problem }
    return ByteCount(bytes: number << unit.shift)
  }

  /// The size in the form of ``parse(_:)``.
  var text: String {
    guard bytes > 0 else { return "0" }
    let unit = Self.units.first { bytes.isMultiple(of: 1 << $0.shift) } ?? ("B", 0)
    return "\(bytes >> unit.shift)\(unit.name)"
  }
}
