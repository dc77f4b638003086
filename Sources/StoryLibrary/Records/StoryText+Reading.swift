import JSONText

extension StoryText {
  /// Parses a text file, with front matter or without.
  ///
  /// The end of the first line is that of the file: if it is CRLF, so are all. A byte order mark is
  /// skipped. Without front matter, empty lines at both ends do not belong to the content.
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: Its path for messages.
  /// - Throws: `Problem` if the text is not UTF-8, the front matter is not understood, or the file is
  ///   empty.
  public init(parsing bytes: [UInt8], file: String) throws(Problem) {
    self.init()
    if let line = Self.firstInvalidLine(bytes) {
      throw Problem(
        .storyText(.notUTF8), file: file, position: TextPosition(line: line, column: 1))
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let feed = FrontMatter.lineEnd(bytes, start)
    let isCRLF = feed > start && feed < bytes.count && bytes[feed - 1] == 0x0D
    if let front = try FrontMatter(bytes, from: start, file: file) {
      for entry in front.entries { try take(entry, bytes, file) }
      offsets["content"] = min(FrontMatter.nextLine(bytes, front.end), bytes.count)
      var rest = Self.unified(bytes[front.end...], isCRLF)[...]
      if rest.first == 0x0A { rest.removeFirst() }
      guard !rest.isEmpty else { return }
      if rest.last == 0x0A { rest.removeLast() }
      content = String(decoding: rest, as: UTF8.self)
    } else {
      let text = String(decoding: Self.unified(bytes[start...], isCRLF), as: UTF8.self)
      var lines = RecordFile.lines(of: text)[...].drop(while: \.isBlankLine)
      while let last = lines.last, last.isBlankLine { lines.removeLast() }
      guard !lines.isEmpty else {
        throw Problem(.empty(isJSON: false), file: file, position: .start)
      }
      content = lines.joined(separator: "\n")
    }
  }

  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }

  private static func unified(_ text: ArraySlice<UInt8>, _ isCRLF: Bool) -> [UInt8] {
    guard isCRLF else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      if byte == 0x0A, result.last == 0x0D { result.removeLast() }
      result.append(byte)
    }
    return result
  }

  // MARK: Fields

  /// Other names for fields, which people write.
  private static let aliases = ["favorite": "isFavorite", "favourite": "isFavorite"]

  private mutating func take(
    _ entry: FrontMatter.Entry, _ bytes: [UInt8], _ file: String
  ) throws(Problem) {
    let key = Self.aliases[entry.key] ?? entry.key
    func problem(
      _ what: Problem.What, at offset: Int, severity: Problem.Severity = .error
    ) -> Problem {
      Problem(
        what, severity: severity, file: file, position: TextPosition(offset: offset, in: bytes))
    }
    guard let field = Self.schema.field(key: key) else {
      let nearest = Nearest.match(key, among: Self.schema.keyOrder)
      warnings.append(
        problem(
          .unknownField(entry.key, nearest: nearest, in: .text), at: entry.keyOffset,
          severity: .warning))
      return
    }
    guard field.shape != .lines else {
      throw problem(.storyText(.textInFrontMatter(key)), at: entry.keyOffset)
    }
    guard !field.keys.contains(where: { fields[$0] != nil }) else {
      throw problem(.ambiguous(entry.key, with: nil), at: entry.keyOffset)
    }
    offsets[key] = entry.valueOffset
    switch entry.value {
    case .none: fields[key] = .null
    case .text(let text, let isQuoted):
      guard let value = Self.value(text, isQuoted, of: field) else {
        let expected = field.shape == .boolean ? WireMismatch.Expected.boolean : .wholeNumber
        throw problem(.wrongType(key, expected, found: nil), at: entry.valueOffset)
      }
      fields[key] = value
    case .other:
      throw problem(.storyText(.notASingleText(key)), at: entry.valueOffset)
    }
  }

  private static func value(_ text: String, _ isQuoted: Bool, of field: Field) -> JSONValue? {
    switch field.shape {
    case .boolean:
      switch isQuoted ? "" : text.lowercased() {
      case "true", "yes", "on": .bool(true)
      case "false", "no", "off": .bool(false)
      default: nil
      }
    case .integer: isQuoted ? nil : JSONNumber(literal: text).map { .number($0) }
    default: .string(text)
    }
  }
}
