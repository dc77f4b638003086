/// An id and a version in 24 bytes, where both are written as servers mostly write them.
///
/// The id is a UUID in lower case (RFC 9562, section 4) or 24 small letters and digits, a `c` before them
/// or not (cuid and cuid2); the version is a moment in UTC, `yyyy-MM-ddTHH:mm:ssZ`, with up to six digits
/// of a fraction. This is about bytes alone: nothing is read into an id, and both come out
/// exactly as they went in. What is written in any other way does not fit.
struct PackedIdentity: Sendable, Hashable, BitwiseCopyable {
  /// The first half of the id's digits, and the second one.
  private let first: UInt64
  private let second: UInt64
  /// The version; in the lowest two bits the form of the id.
  private let rest: UInt64

  private enum Form: UInt64 {
    case uuid, word, wordBehindC
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Packs the text of an id with that of a version behind it; `nil` where one of them does not fit.
  init?(_ text: UnsafeBufferPointer<UInt8>, idLength: Int) {
    let id = Bytes(rebasing: text.prefix(idLength))
    guard let (form, halves) = Self.numbers(ofID: id),
      let version = Self.number(ofVersion: Bytes(rebasing: text.dropFirst(idLength))),
      version >> 62 == 0
    else { return nil }
    (first, second) = halves
    rest = version << 2 | form.rawValue
  }

  /// What stands for the id, the same for the same one only.
  typealias IDKey = SIMD4<UInt64>

  /// The key of the id.
  var idKey: IDKey { IDKey(first, second, rest & 3, 0) }

  /// The key that an id has where it is packed; `nil` for one that does not fit.
  static func idKey(of id: UnsafeBufferPointer<UInt8>) -> IDKey? {
    numbers(ofID: id).map { form, halves in IDKey(halves.0, halves.1, form.rawValue, 0) }
  }

  /// Appends 24 bytes that stand for id and version, the same for the same two only.
  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (first, second, rest)) { bytes.append(contentsOf: $0) }
  }

  /// Appends the id.
  func appendID(to text: inout [UInt8]) {
    if rest & 3 == Form.uuid.rawValue {
      for place in 0..<36 {
        if Self.isHyphen(place) {
          text.append(UInt8(ascii: "-"))
        } else {
          let digit = place - Self.hyphens(before: place)
          let half = (digit < 16 ? first : second) >> UInt64(60 - digit % 16 * 4)
          text.append(Self.digit(UInt8(truncatingIfNeeded: half & 15)))
        }
      }
      return
    }
    if rest & 3 == Form.wordBehindC.rawValue { text.append(UInt8(ascii: "c")) }
    for half in [first, second] {
      var half = half
      let start = text.count
      for _ in 0..<12 {
        text.append(Self.digit(UInt8(truncatingIfNeeded: half % 36)))
        half /= 36
      }
      text[start...].reverse()
    }
  }

  /// Appends the version.
  func appendVersion(to text: inout [UInt8]) {
    var number = rest >> 2
    func take(_ count: UInt64) -> UInt64 {
      defer { number /= count }
      return number % count
    }
    let digits = Int(take(8))
    let fraction = take(1_000_000)
    let (second, minute, hour, day, month) = (take(64), take(64), take(32), take(32), take(16))
    Self.append(number, digits: 4, to: &text)
    func append(_ separator: Unicode.Scalar, _ value: UInt64) {
      text.append(UInt8(ascii: separator))
      Self.append(value, digits: 2, to: &text)
    }
    append("-", month)
    append("-", day)
    append("T", hour)
    append(":", minute)
    append(":", second)
    if digits > 0 {
      text.append(UInt8(ascii: "."))
      Self.append(fraction, digits: digits, to: &text)
    }
    text.append(UInt8(ascii: "Z"))
  }

  private static func append(_ number: UInt64, digits: Int, to text: inout [UInt8]) {
    var power: UInt64 = 1
    for _ in 1..<digits { power *= 10 }
    var number = number
    for _ in 0..<digits {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power))
      number %= power
      power /= 10
    }
  }

  // MARK: Ids

  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }

  private static func hyphens(before place: Int) -> Int {
    place < 8 ? 0 : place < 13 ? 1 : place < 18 ? 2 : place < 23 ? 3 : 4
  }

  /// The form of an id, and its digits as two numbers.
  private static func numbers(ofID id: Bytes) -> (Form, (UInt64, UInt64))? {
    switch id.count {
    case 36:
      var (first, second): (UInt64, UInt64) = (0, 0)
      for place in 0..<36 {
        if isHyphen(place) {
          guard id[place] == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard let digit = value(of: id[place]), digit < 16 else { return nil }
        // The sixteenth digit stands before the third hyphen.
        if place < 18 {
          first = first << 4 | UInt64(digit)
        } else {
          second = second << 4 | UInt64(digit)
        }
      }
      return (.uuid, (first, second))
    case 24: return halves(ofWord: id[...]).map { (.word, $0) }
    case 25 where id[0] == UInt8(ascii: "c"):
      return halves(ofWord: id.dropFirst()).map { (.wordBehindC, $0) }
    default: return nil
    }
  }

  private static func halves(ofWord word: Slice<Bytes>) -> (UInt64, UInt64)? {
    guard let first = number(ofDigits: word.prefix(12)),
      let second = number(ofDigits: word.dropFirst(12))
    else { return nil }
    return (first, second)
  }

  /// The number that up to twelve digits to the base of 36 stand for.
  private static func number(ofDigits digits: Slice<Bytes>) -> UInt64? {
    var number: UInt64 = 0
    for byte in digits {
      guard let digit = value(of: byte) else { return nil }
      number = number * 36 + UInt64(digit)
    }
    return number
  }

  /// The digit of a value below 36.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The value of a digit to the base of 36.
  private static func value(of byte: UInt8) -> UInt8? {
    let (digit, letter) = (byte &- UInt8(ascii: "0"), byte &- UInt8(ascii: "a"))
    return digit < 10 ? digit : letter < 26 ? letter + 10 : nil
  }

  // MARK: Versions

  private static func number(ofVersion text: Bytes) -> UInt64? {
    guard text.count >= 20, text.count <= 27, text.count != 21,
      text[text.count - 1] == UInt8(ascii: "Z"), text[4] == UInt8(ascii: "-"),
      text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":")
    else { return nil }
    var isNumber = true
    func number(_ places: Range<Int>) -> UInt64 {
      var value: UInt64 = 0
      for place in places {
        let digit = text[place] &- UInt8(ascii: "0")
        isNumber = isNumber && digit < 10
        value = value * 10 + UInt64(digit)
      }
      return value
    }
    var digits = 0
    var fraction: UInt64 = 0
    if text.count > 20 {
      guard text[19] == UInt8(ascii: ".") else { return nil }
      digits = text.count - 21
      fraction = number(20..<text.count - 1)
    }
    let (month, day, hour) = (number(5..<7), number(8..<10), number(11..<13))
    let (minute, second) = (number(14..<16), number(17..<19))
    var packed = number(0..<4)
    guard isNumber, month < 16, day < 32, hour < 32, minute < 64, second < 64 else { return nil }
    packed = packed * 16 + month
    packed = packed * 32 + day
    packed = packed * 32 + hour
    packed = packed * 64 + minute
    packed = packed * 64 + second
    packed = packed * 1_000_000 + fraction
    return packed * 8 + UInt64(digits)
  }
}
