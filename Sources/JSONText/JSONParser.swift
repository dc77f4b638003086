/// Reads a text into a flat list of entries, one byte after the other, without recursion.
struct JSONParser {
  /// What is wrong and where, before lines and columns are counted.
  struct Failure: Error {
    var offset: Int
    var kind: Kind

    enum Kind {
      case plain(JSONSyntaxError.Reason)
      case duplicateKey(String, firstOffset: Int)
    }

    func reason(in bytes: [UInt8]) -> JSONSyntaxError.Reason {
      switch kind {
      case .plain(let reason): reason
      case .duplicateKey(let key, let first):
        .duplicateKey(key, first: TextPosition(offset: first, in: bytes))
      }
    }
  }

  private enum State {
    case value, valueOrEnd, keyOrEnd, key, afterElement, afterMember
  }

  let text: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var entries: [JSONNode.Entry] = []
  /// The indices of the containers that are open.
  private var open: [Int] = []

  init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  static func bomLength(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func parse() -> Result<[JSONNode.Entry], Failure> {
    do throws(Failure) {
      try parseText()
      return .success(entries)
    } catch {
      return .failure(error)
    }
  }

  private mutating func parseText() throws(Failure) {
    guard text.count <= JSONDocument.maximumSize else {
      throw failure(.tooLarge(limit: JSONDocument.maximumSize), at: JSONDocument.maximumSize)
    }
    index = Self.bomLength(text)
    entries.reserveCapacity(max(16, text.count / 24))
    var state = State.value
    while true {
      skipWhitespace()
      switch state {
      case .value, .valueOrEnd:
        if state == .valueOrEnd, peek == UInt8(ascii: "]") {
          guard try close() else { return try finish() }
          state = afterValue
          continue
        }
        state = try parseValue(expecting: state == .value ? .value : .valueOrEnd)
        if open.isEmpty { return try finish() }
      case .keyOrEnd, .key:
        if state == .keyOrEnd, peek == UInt8(ascii: "}") {
          guard try close() else { return try finish() }
          state = afterValue
          continue
        }
        try parseKey(expecting: state == .key ? .key : .keyOrEnd)
        state = .value
      case .afterElement, .afterMember:
        let isArray = state == .afterElement
        switch peek {
        case UInt8(ascii: ","):
          let comma = index
          index += 1
          skipWhitespace()
          if peek == UInt8(ascii: "]") || peek == UInt8(ascii: "}") {
            throw failure(.trailingComma, at: comma)
          }
          state = isArray ? .value : .key
        case isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"):
          guard try close() else { return try finish() }
          state = afterValue
        default:
          throw unexpected(isArray ? .commaOrBracket : .commaOrBrace)
        }
      }
    }
  }

  private var peek: UInt8? { index < text.count ? text[index] : nil }

  private var afterValue: State {
    entries[open[open.count - 1]].kind == .array ? .afterElement : .afterMember
  }

  private mutating func skipWhitespace() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private func finish() throws(Failure) {
    var end = index
    while end < text.count {
      switch text[end] {
      case 0x20, 0x0A, 0x0D, 0x09: end += 1
      case UInt8(ascii: "/"), UInt8(ascii: "#"): throw failure(.comment, at: end)
      default: throw failure(.trailingContent, at: end)
      }
    }
  }

  /// Ends the innermost container; `false` where it was the text's value.
  private mutating func close() throws(Failure) -> Bool {
    index += 1
    let container = open.removeLast()
    entries[container].end = UInt32(index)
    entries[container].next = UInt32(entries.count)
    if entries[container].kind == .object { try checkNames(of: container) }
    return !open.isEmpty
  }

  private mutating func parseValue(
    expecting expectation: JSONSyntaxError.Expectation
  ) throws(Failure) -> State {
    switch peek {
    case UInt8(ascii: "{"):
      try openContainer(.object)
      return .keyOrEnd
    case UInt8(ascii: "["):
      try openContainer(.array)
      return .valueOrEnd
    case UInt8(ascii: "\""):
      try parseString()
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      let end = try Self.numberEnd(text, from: index).get()
      append(.number, upTo: end)
    case UInt8(ascii: "t") where word == "true": append(.true, upTo: index + 4)
    case UInt8(ascii: "f") where word == "false": append(.false, upTo: index + 5)
    case UInt8(ascii: "n") where word == "null": append(.null, upTo: index + 4)
    case UInt8(ascii: "+"), UInt8(ascii: "."): throw failure(.malformedNumber, at: index)
    default: throw unexpected(expectation)
    }
    return open.isEmpty ? .value : afterValue
  }

  private mutating func parseKey(
    expecting expectation: JSONSyntaxError.Expectation
  ) throws(Failure) {
    guard peek == UInt8(ascii: "\"") else { throw unexpected(expectation) }
    try parseString()
    skipWhitespace()
    guard peek == UInt8(ascii: ":") else { throw unexpected(.colon) }
    index += 1
  }

  private mutating func openContainer(_ kind: JSONNode.Kind) throws(Failure) {
    guard open.count < JSONDocument.maximumDepth else {
      throw failure(.tooDeep(limit: JSONDocument.maximumDepth), at: index)
    }
    open.append(entries.count)
    append(kind, upTo: index + 1)
  }

  private mutating func append(_ kind: JSONNode.Kind, upTo end: Int, hasEscapes: Bool = false) {
    entries.append(
      JSONNode.Entry(
        start: UInt32(index), end: UInt32(end), next: UInt32(entries.count + 1), kind: kind,
        hasEscapes: hasEscapes))
    index = end
  }

  private mutating func parseString() throws(Failure) {
    var end = index + 1
    var hasEscapes = false
    while true {
      end = plainEnd(from: end)
      guard end < text.count else { throw failure(.unexpectedEnd(.closingQuote), at: text.count) }
      switch text[end] {
      case UInt8(ascii: "\""):
        append(.string, upTo: end + 1, hasEscapes: hasEscapes)
        return
      case UInt8(ascii: "\\"):
        hasEscapes = true
        end = try escapeEnd(from: end)
      case let byte where byte < 0x20:
        throw failure(.controlCharacter(byte), at: end)
      default:
        end = try scalarEnd(from: end)
      }
    }
  }

  /// The first byte from `start` on that is a quote, a backslash, a control character or not ASCII.
  private func plainEnd(from start: Int) -> Int {
    var end = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    while end + 8 <= text.count {
      let word = UnsafeRawPointer(text.baseAddress! + end).loadUnaligned(as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // A byte's high bit is set where the byte is below 0x20, equal to 0x22 or 0x5C, or not ASCII.
      let special =
        ((word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | word) & high
      if special != 0 { break }
      end += 8
    }
    while end < text.count {
      let byte = text[end]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { return end }
      end += 1
    }
    return end
  }

  private func escapeEnd(from start: Int) throws(Failure) -> Int {
    guard start + 1 < text.count else {
      throw failure(.unexpectedEnd(.closingQuote), at: text.count)
    }
    switch text[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      let unit = try codeUnit(at: start)
      switch unit {
      case 0xD800...0xDBFF:
        let next = start + 6
        guard next + 1 < text.count, text[next] == UInt8(ascii: "\\"),
          text[next + 1] == UInt8(ascii: "u")
        else { throw failure(.loneSurrogate, at: start) }
        guard case 0xDC00...0xDFFF = try codeUnit(at: next) else {
          throw failure(.loneSurrogate, at: start)
        }
        return next + 6
      case 0xDC00...0xDFFF: throw failure(.loneSurrogate, at: start)
      default: return start + 6
      }
    default: throw failure(.invalidEscape, at: start)
    }
  }

  private func codeUnit(at backslash: Int) throws(Failure) -> UInt16 {
    guard backslash + 6 <= text.count else { throw failure(.invalidEscape, at: backslash) }
    guard let unit = Self.hexadecimal(text[backslash + 2..<backslash + 6]) else {
      throw failure(.invalidEscape, at: backslash)
    }
    return unit
  }

  private static func hexadecimal(_ digits: some Sequence<UInt8>) -> UInt16? {
    var unit: UInt16 = 0
    for byte in digits {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - 87)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - 55)
      default: return nil
      }
    }
    return unit
  }

  /// The end of the scalar whose UTF-8 starts at `start` (Unicode Standard, table 3-7).
  private func scalarEnd(from start: Int) throws(Failure) -> Int {
    func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      start + offset < text.count && range.contains(text[start + offset])
    }
    let valid: Bool
    let length: Int
    switch text[start] {
    case 0xC2...0xDF: (length, valid) = (2, isContinuation(1))
    case 0xE0: (length, valid) = (3, isContinuation(1, 0xA0...0xBF) && isContinuation(2))
    case 0xED: (length, valid) = (3, isContinuation(1, 0x80...0x9F) && isContinuation(2))
    case 0xE1...0xEF: (length, valid) = (3, isContinuation(1) && isContinuation(2))
    case 0xF0:
      (length, valid) =
        (4, isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3))
    case 0xF1...0xF3:
      (length, valid) = (4, isContinuation(1) && isContinuation(2) && isContinuation(3))
    case 0xF4:
      (length, valid) =
        (4, isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3))
    default: (length, valid) = (1, false)
    }
    guard valid else { throw failure(.invalidUTF8, at: start) }
    return start + length
  }

  /// Finds the end of the number that starts at `start` (RFC 8259, section 6).
  static func numberEnd(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Result<Int, Failure> {
    var end = start
    func digits() -> Int {
      let first = end
      while end < text.count, case 0x30...0x39 = text[end] { end += 1 }
      return end - first
    }
    func malformed(_ offset: Int) -> Result<Int, Failure> {
      .failure(Failure(offset: offset, kind: .plain(.malformedNumber)))
    }
    if end < text.count, text[end] == UInt8(ascii: "-") { end += 1 }
    let first = end
    let whole = digits()
    guard whole > 0 else { return malformed(start) }
    if whole > 1, text[first] == UInt8(ascii: "0") {
      return .failure(Failure(offset: first, kind: .plain(.leadingZero)))
    }
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end += 1
      guard digits() > 0 else { return malformed(start) }
    }
    if end < text.count, text[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if end < text.count, text[end] == UInt8(ascii: "+") || text[end] == UInt8(ascii: "-") {
        end += 1
      }
      let exponent = digits()
      guard exponent > 0 else { return malformed(start) }
      guard exponent <= 18 else {
        return .failure(Failure(offset: start, kind: .plain(.exponentTooLarge)))
      }
    }
    return .success(end)
  }

  /// Resolves the escapes of a string whose syntax has been checked.
  static func unescape(_ content: some RandomAccessCollection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var iterator = content.makeIterator()
    func nextUnit() -> UInt32 {
      UInt32(hexadecimal((0..<4).compactMap { _ in iterator.next() }) ?? 0xFFFD)
    }
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "\\"), let escape = iterator.next() else {
        result.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = nextUnit()
        if case 0xD800...0xDBFF = scalar {
          _ = iterator.next()
          _ = iterator.next()
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (nextUnit() - 0xDC00)
        }
        let encoded = UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}")
        result.append(contentsOf: encoded ?? UTF8.encodedReplacementCharacter)
      default: result.append(escape)
      }
    }
    return result
  }

  // MARK: Names

  /// Throws at the second of two members of the same name.
  private func checkNames(of container: Int) throws(Failure) {
    var names: [Int] = []
    var child = container + 1
    while child < entries.count {
      names.append(child)
      child = Int(entries[child + 1].next)
    }
    guard names.count > 1 else { return }
    if names.count > 16 {
      var seen: [[UInt8]: Int] = [:]
      for name in names {
        if let first = seen.updateValue(name, forKey: resolved(name)) {
          throw duplicate(name, first: first)
        }
      }
      return
    }
    for (place, name) in names.enumerated() {
      for earlier in names[..<place] where haveSameName(earlier, name) {
        throw duplicate(name, first: earlier)
      }
    }
  }

  private func content(_ entry: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    text[Int(entries[entry].start) + 1..<Int(entries[entry].end) - 1]
  }

  private func resolved(_ entry: Int) -> [UInt8] {
    entries[entry].hasEscapes ? Self.unescape(content(entry)) : Array(content(entry))
  }

  private func haveSameName(_ left: Int, _ right: Int) -> Bool {
    if entries[left].hasEscapes || entries[right].hasEscapes {
      return resolved(left) == resolved(right)
    }
    let (left, right) = (content(left), content(right))
    return left.count == right.count && left.elementsEqual(right)
  }

  private func duplicate(_ name: Int, first: Int) -> Failure {
    Failure(
      offset: Int(entries[name].start),
      kind: .duplicateKey(
        String(decoding: resolved(name), as: UTF8.self), firstOffset: Int(entries[first].start)))
  }

  // MARK: Errors

  private func failure(_ reason: JSONSyntaxError.Reason, at offset: Int) -> Failure {
    Failure(offset: offset, kind: .plain(reason))
  }

  /// The letters from `index` on, at most eight bytes longer than any literal.
  private var word: String {
    var end = index
    while end < text.count, end < index + 16 {
      switch text[end] {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "_"): end += 1
      default: return String(decoding: text[index..<end], as: UTF8.self)
      }
    }
    return String(decoding: text[index..<end], as: UTF8.self)
  }

  /// The error for what stands at `index` where `expectation` should.
  private func unexpected(_ expectation: JSONSyntaxError.Expectation) -> Failure {
    guard let byte = peek else { return failure(.unexpectedEnd(expectation), at: index) }
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): return failure(.comment, at: index)
    case 0x80...:
      guard let end = try? scalarEnd(from: index) else { return failure(.invalidUTF8, at: index) }
      let found = String(decoding: text[index..<end], as: UTF8.self)
      return failure(.expected(expectation, found: "“\(found)”"), at: index)
    case 0..<0x20, 0x7F: return failure(.controlCharacter(byte), at: index)
    default: break
    }
    let word = word
    if ["NaN", "Infinity", "nan", "inf", "undefined", "None", "True", "False"].contains(word) {
      return failure(.notANumber(word), at: index)
    }
    let found = word.isEmpty ? String(UnicodeScalar(byte)) : word
    return failure(.expected(expectation, found: "“\(found)”"), at: index)
  }
}
