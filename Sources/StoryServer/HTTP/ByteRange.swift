/// The part of a file requested with `Range` (RFC 9110, section 14).
enum ByteRange: Equatable, Sendable {
  /// The whole file: there is no range, or one that is not supported, such as several at once.
  case whole
  case part(Range<Int>)
  /// A range outside the file, answered with 416.
  case unsatisfiable

  /// Parses the field's value for a file of `size` bytes.
  init(_ field: String?, size: Int) {
    self = .whole
    guard let field else { return }
    let text = field.lowercased().utf8
    guard text.starts(with: "bytes=".utf8) else { return }
    let sides = text.dropFirst(6).trimmed.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard sides.count == 2 else { return }
    func number(_ side: Substring.UTF8View) -> Int? {
      guard !side.isEmpty, side.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      // A number too large for `Int` is beyond the end of every file.
      return Int(Substring(side)) ?? .max
    }
    switch (number(sides[0]), number(sides[1])) {
    case (let first?, nil) where sides[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self =
        first < size ? .part(first..<min(size, last == .max ? size : last + 1)) : .unsatisfiable
    case (nil, let count?) where sides[0].isEmpty:
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    default: return
    }
  }
}
