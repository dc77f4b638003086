/// The part of a file that a request asks for with `Range` (RFC 9110, section 14).
enum ByteRange: Equatable, Sendable {
  /// Everything: there is no range, or one that this server does not serve, such as several at once.
  case whole
  /// These bytes.
  case part(Range<Int>)
  /// None of the file's bytes: 416.
  case unsatisfiable

  /// Reads the field's value for a file of so many bytes.
  init(_ field: String?, size: Int) {
    self = .whole
    guard let field else { return }
    let text = field.lowercased().utf8
    guard text.starts(with: "bytes=".utf8) else { return }
    let sides = HTTPHeaders.trimmed(text.dropFirst(6)).split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard sides.count == 2 else { return }
    func number(_ side: Substring.UTF8View) -> Int? {
      guard !side.isEmpty, side.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      // What has more digits than fit is beyond every file.
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
