import JSONText
import Testing

/// A text that is refused, with the reason and the place.
struct InvalidCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var reason: JSONSyntaxError.Reason
  var line: Int
  var column: Int

  init(
    _ name: String, _ text: String, _ reason: JSONSyntaxError.Reason, _ line: Int, _ column: Int
  ) {
    self.init(name, bytes: Array(text.utf8), reason, line, column)
  }

  init(
    _ name: String, bytes: [UInt8], _ reason: JSONSyntaxError.Reason, _ line: Int, _ column: Int
  ) {
    self.name = name
    self.bytes = bytes
    self.reason = reason
    self.line = line
    self.column = column
  }

  var testDescription: String { name }
}

@Suite("Texts that are not JSON")
struct InvalidTextTests {
  @Test(
    "are refused with the reason and the place",
    arguments: [
      invalidStructures, invalidWords, invalidNumbers, invalidStrings, invalidUTF8, invalidNames,
      invalidLimits,
    ].flatMap { $0 })
  func refuses(_ text: InvalidCase) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text.bytes) }
    #expect(error?.reason == text.reason)
    #expect(error?.position == TextPosition(line: text.line, column: text.column))
    #expect(error?.offset ?? -1 >= 0)
    #expect(error?.offset ?? .max <= text.bytes.count)
    #expect(error?.description.hasPrefix("\(text.line):\(text.column): ") == true)
  }

  @Test("no two rows of the table have the same name or text")
  func rowsAreDistinct() {
    let all = [
      invalidStructures, invalidWords, invalidNumbers, invalidStrings, invalidUTF8, invalidNames,
      invalidLimits,
    ].flatMap { $0 }
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.bytes)).count == all.count)
  }

  @Test("a text of 64 MiB is read, one byte more is refused")
  func refusesTooMuch() throws {
    var bytes = [UInt8](repeating: 0x20, count: JSONDocument.maximumSize)
    bytes[0] = UInt8(ascii: "1")
    #expect(try JSONDocument(parsing: bytes).root.kind == .number)
    bytes.append(0x20)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: bytes) }
    #expect(error?.reason == .tooLarge(limit: 64 << 20))
    #expect(error?.offset == 64 << 20)
    #expect(error?.message == "the text is larger than 64 MiB")
  }

  @Test("a text with more values than may be is refused where one too many begins")
  func refusesTooManyValues() throws {
    let bytes = Array("[1,{\"a\":2}]".utf8)
    #expect(throws: Never.self) { try JSONDocument(parsing: bytes, maximumValues: 5) }
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONDocument(parsing: bytes, maximumValues: 4)
    }
    #expect(error?.reason == .tooManyValues(limit: 4))
    #expect(error?.message == "there are more than 4 values")
  }
}

private let invalidStructures: [InvalidCase] = [
  InvalidCase("nothing", "", .unexpectedEnd(.value), 1, 1),
  InvalidCase("only white space", " \n\t", .unexpectedEnd(.value), 2, 2),
  InvalidCase("only a byte order mark", "\u{FEFF}", .unexpectedEnd(.value), 1, 1),
  InvalidCase("an open array", "[", .unexpectedEnd(.valueOrEnd), 1, 2),
  InvalidCase("an open array with a value", "[1", .unexpectedEnd(.commaOrBracket), 1, 3),
  InvalidCase("an open array with a comma", "[1,", .unexpectedEnd(.value), 1, 4),
  InvalidCase("an open object", "{", .unexpectedEnd(.keyOrEnd), 1, 2),
  InvalidCase("an open object with a name", "{\"a\"", .unexpectedEnd(.colon), 1, 5),
  InvalidCase("an open object with a colon", "{\"a\":", .unexpectedEnd(.value), 1, 6),
  InvalidCase("an open object with a value", "{\"a\":1", .unexpectedEnd(.commaOrBrace), 1, 7),
  InvalidCase("an open object with a comma", "{\"a\":1,\n", .unexpectedEnd(.key), 2, 1),
  InvalidCase(
    "an open object in an array", "[{\n  \"a\": [\n1]\n", .unexpectedEnd(.commaOrBrace), 4, 1),
  InvalidCase("an array closed by a brace", "[1}", .expected(.commaOrBracket, found: "“}”"), 1, 3),
  InvalidCase(
    "an object closed by a bracket", "{\"a\":1]", .expected(.commaOrBrace, found: "“]”"), 1, 7),
  InvalidCase("an empty array closed by a brace", "[}", .expected(.valueOrEnd, found: "“}”"), 1, 2),
  InvalidCase(
    "an empty object closed by a bracket", "{]", .expected(.keyOrEnd, found: "“]”"), 1, 2),
  InvalidCase("only a closing bracket", "]", .expected(.value, found: "“]”"), 1, 1),
  InvalidCase("only a comma", ",", .expected(.value, found: "“,”"), 1, 1),
  InvalidCase("only a colon", ":", .expected(.value, found: "“:”"), 1, 1),
  InvalidCase("a bracket too many", "[1]]", .trailingContent, 1, 4),
  InvalidCase("a brace too many", "{}\n }", .trailingContent, 2, 2),
  InvalidCase("two values", "1 2", .trailingContent, 1, 3),
  InvalidCase("two objects", "{}{}", .trailingContent, 1, 3),
  InvalidCase("a comma behind the value", "[],", .trailingContent, 1, 3),
  InvalidCase("a NUL behind the value", "[]\0", .trailingContent, 1, 3),
  InvalidCase("a byte order mark behind the value", "[]\u{FEFF}", .trailingContent, 1, 3),
  InvalidCase("a comma before the bracket", "[1,]", .trailingComma, 1, 3),
  InvalidCase("a comma before the bracket on the next line", "[1,\n]", .trailingComma, 1, 3),
  InvalidCase("a comma before the brace", "{\"a\":1 , }", .trailingComma, 1, 8),
  InvalidCase("two commas before the bracket", "[1,,]", .expected(.value, found: "“,”"), 1, 4),
  InvalidCase("two commas", "[1,,2]", .expected(.value, found: "“,”"), 1, 4),
  InvalidCase("two commas in an object", "{\"a\":1,,\"b\":2}", .expected(.key, found: "“,”"), 1, 8),
  InvalidCase("a comma at the start", "[,1]", .expected(.valueOrEnd, found: "“,”"), 1, 2),
  InvalidCase("a comma alone in an array", "[,]", .expected(.valueOrEnd, found: "“,”"), 1, 2),
  InvalidCase("a comma alone in an object", "{,}", .expected(.keyOrEnd, found: "“,”"), 1, 2),
  InvalidCase("no comma between elements", "[1 2]", .expected(.commaOrBracket, found: "“2”"), 1, 4),
  InvalidCase(
    "no comma between strings", "[\"a\" \"b\"]", .expected(.commaOrBracket, found: "“\"”"), 1, 6),
  InvalidCase(
    "no comma between lines", "{\n  \"a\": 1\n  \"b\": 2\n}",
    .expected(.commaOrBrace, found: "“\"”"), 3, 3),
  InvalidCase("a colon in an array", "[\"a\":1]", .expected(.commaOrBracket, found: "“:”"), 1, 5),
  InvalidCase("a semicolon for a comma", "[1;2]", .expected(.commaOrBracket, found: "“;”"), 1, 3),
  InvalidCase("no colon", "{\"a\" 1}", .expected(.colon, found: "“1”"), 1, 6),
  InvalidCase("a comma for a colon", "{\"a\",1}", .expected(.colon, found: "“,”"), 1, 5),
  InvalidCase("two colons", "{\"a\"::1}", .expected(.value, found: "“:”"), 1, 6),
  InvalidCase("no value", "{\"a\":}", .expected(.value, found: "“}”"), 1, 6),
  InvalidCase("no value before a comma", "{\"a\":,\"b\":1}", .expected(.value, found: "“,”"), 1, 6),
  InvalidCase("a number as a name", "{1:1}", .expected(.keyOrEnd, found: "“1”"), 1, 2),
  InvalidCase("null as a name", "{null:1}", .expected(.keyOrEnd, found: "“null”"), 1, 2),
  InvalidCase("an array as a name", "{[1]:1}", .expected(.keyOrEnd, found: "“[”"), 1, 2),
  InvalidCase("a name without quotes", "{a:1}", .expected(.keyOrEnd, found: "“a”"), 1, 2),
  InvalidCase(
    "a second name without quotes", "{\"a\":1, name: 2}", .expected(.key, found: "“name”"), 1, 9),
  InvalidCase("a name in single quotes", "{'a':1}", .expected(.keyOrEnd, found: "“'”"), 1, 2),
  InvalidCase("a string in single quotes", "['a']", .expected(.valueOrEnd, found: "“'”"), 1, 2),
  InvalidCase(
    "typographic quotes", "[“a”]", .expected(.valueOrEnd, found: "a typographic quote"), 1, 2),
  InvalidCase("a line comment", "[1, // one\n2]", .comment, 1, 5),
  InvalidCase("a block comment", "{/* a */}", .comment, 1, 2),
  InvalidCase("a comment before a comma", "[1 /**/, 2]", .comment, 1, 4),
  InvalidCase("a hash comment", "# heroes\n[]", .comment, 1, 1),
  InvalidCase("a comment behind the value", "{}\n// end", .comment, 2, 1),
  InvalidCase("a hash comment behind the value", "{} # end", .comment, 1, 4),
  InvalidCase(
    "a merge conflict", "{\n<<<<<<< HEAD\n  \"a\": 1\n=======", .expected(.keyOrEnd, found: "“<”"),
    2, 1),
  InvalidCase(
    "a merge conflict behind a member", "{\n  \"a\": 1,\n>>>>>>> theirs\n}",
    .expected(.key, found: "“>”"), 3, 1),
  InvalidCase(
    "a no-break space", "[\u{A0}1]", .expected(.valueOrEnd, found: "the character U+00A0"), 1, 2),
  InvalidCase(
    "a form feed", "[\u{C}]", .expected(.valueOrEnd, found: "the character U+000C"), 1, 2),
  InvalidCase("a vertical tab", "\u{B}1", .expected(.value, found: "the character U+000B"), 1, 1),
  InvalidCase("a NUL", "[\0]", .expected(.valueOrEnd, found: "the character U+0000"), 1, 2),
  InvalidCase(
    "a DEL", "[1\u{7F}]", .expected(.commaOrBracket, found: "the character U+007F"), 1, 3),
  InvalidCase(
    "a zero-width joiner", "[1,\u{200D}]", .expected(.value, found: "the character U+200D"), 1, 4),
  InvalidCase(
    "a byte order mark inside", "[\u{FEFF}1]",
    .expected(.valueOrEnd, found: "the character U+FEFF"), 1, 2),
  InvalidCase(
    "two byte order marks", "\u{FEFF}\u{FEFF}1", .expected(.value, found: "the character U+FEFF"),
    1, 1),
  InvalidCase("a letter outside ASCII", "[é]", .expected(.valueOrEnd, found: "“é”"), 1, 2),
  InvalidCase("a letter outside ASCII at the end", "é", .expected(.value, found: "“é”"), 1, 1),
  InvalidCase("an emoji", "[1,\n 🦊]", .expected(.value, found: "“🦊”"), 2, 2),
  InvalidCase("a star", "[*]", .expected(.valueOrEnd, found: "“*”"), 1, 2),
  InvalidCase("an angle bracket", "<null>", .expected(.value, found: "“<”"), 1, 1),
  InvalidCase("a backslash", "[\\u0041]", .expected(.valueOrEnd, found: "“\\”"), 1, 2),
]

private let invalidWords: [InvalidCase] = [
  InvalidCase("a capital null", "[NULL]", .expected(.valueOrEnd, found: "“NULL”"), 1, 2),
  InvalidCase("a capital true", "[1, True]", .notANumber("True"), 1, 5),
  InvalidCase("a capital false", "False", .notANumber("False"), 1, 1),
  InvalidCase("None", "[None]", .notANumber("None"), 1, 2),
  InvalidCase("undefined", "{\"a\": undefined}", .notANumber("undefined"), 1, 7),
  InvalidCase("nul", "[nul]", .expected(.valueOrEnd, found: "“nul”"), 1, 2),
  InvalidCase("tru at the end", "tru", .expected(.value, found: "“tru”"), 1, 1),
  InvalidCase("fals and a comma", "[fals,1]", .expected(.valueOrEnd, found: "“fals”"), 1, 2),
  InvalidCase("truex", "[truex]", .expected(.valueOrEnd, found: "“truex”"), 1, 2),
  InvalidCase("true1", "true1", .expected(.value, found: "“true1”"), 1, 1),
  InvalidCase("null_", "null_", .expected(.value, found: "“null_”"), 1, 1),
  InvalidCase("nullé", "nullé", .trailingContent, 1, 5),
  InvalidCase("true and an accent", "[trué]", .expected(.valueOrEnd, found: "“tru”"), 1, 2),
  InvalidCase("nul and an escape", "[nul\\u006c]", .expected(.valueOrEnd, found: "“nul”"), 1, 2),
  InvalidCase(
    "a word that is cut in the message", "[abcdefghijklmnopqrst]",
    .expected(.valueOrEnd, found: "“abcdefghijklmnop”"), 1, 2),
]

private let invalidNumbers: [InvalidCase] = [
  InvalidCase("a zero in front", "[012]", .leadingZero, 1, 2),
  InvalidCase("a zero in front behind a minus", "[-012]", .leadingZero, 1, 3),
  InvalidCase("two zeros", "00", .leadingZero, 1, 1),
  InvalidCase("zeros before a point", "[00.5]", .leadingZero, 1, 2),
  InvalidCase("a plus in front", "[+1]", .malformedNumber, 1, 2),
  InvalidCase("plus infinity", "[+Infinity]", .malformedNumber, 1, 2),
  InvalidCase("a point in front", "[.5]", .malformedNumber, 1, 2),
  InvalidCase("a minus and a point", "[-.5]", .malformedNumber, 1, 2),
  InvalidCase("a point at the end", "[1.]", .malformedNumber, 1, 2),
  InvalidCase("a point before an exponent", "[1.e1]", .malformedNumber, 1, 2),
  InvalidCase("a minus alone", "[ -]", .malformedNumber, 1, 3),
  InvalidCase("a minus at the end of the text", "-", .malformedNumber, 1, 1),
  InvalidCase("a minus and a space", "[- 1]", .malformedNumber, 1, 2),
  InvalidCase("two minuses", "[--1]", .malformedNumber, 1, 2),
  InvalidCase("an exponent without digits", "[1e]", .malformedNumber, 1, 2),
  InvalidCase("an exponent with only a sign", "[1e+]", .malformedNumber, 1, 2),
  InvalidCase("an exponent at the end of the text", "1E", .malformedNumber, 1, 1),
  InvalidCase("an exponent with two signs", "[1e+-2]", .malformedNumber, 1, 2),
  InvalidCase(
    "a fraction in the exponent", "[1e1.5]", .expected(.commaOrBracket, found: "“.”"), 1, 5),
  InvalidCase("two points", "[1.2.3]", .expected(.commaOrBracket, found: "“.”"), 1, 5),
  InvalidCase("two exponents", "[1e2e3]", .expected(.commaOrBracket, found: "“e3”"), 1, 5),
  InvalidCase("a hexadecimal number", "[0x1F]", .expected(.commaOrBracket, found: "“x1F”"), 1, 3),
  InvalidCase("a number with a suffix", "[1f]", .expected(.commaOrBracket, found: "“f”"), 1, 3),
  InvalidCase(
    "a number with an underscore", "[1_000]", .expected(.commaOrBracket, found: "“_000”"), 1, 3),
  InvalidCase("a number with spaces", "[1 000]", .expected(.commaOrBracket, found: "“000”"), 1, 4),
  InvalidCase("a number with a decimal comma alone", "1,5", .trailingContent, 1, 2),
  InvalidCase("minus and a word", "[-foo]", .malformedNumber, 1, 2),
  InvalidCase("NaN", "[NaN]", .notANumber("NaN"), 1, 2),
  InvalidCase("minus NaN", "[-NaN]", .notANumber("-NaN"), 1, 2),
  InvalidCase("nan", "[nan]", .notANumber("nan"), 1, 2),
  InvalidCase("infinity", "{\"a\": Infinity}", .notANumber("Infinity"), 1, 7),
  InvalidCase("minus infinity", "[-Infinity]", .notANumber("-Infinity"), 1, 2),
  InvalidCase("inf", "inf", .notANumber("inf"), 1, 1),
  InvalidCase("an exponent of 19 digits", "[1e1000000000000000000]", .exponentTooLarge, 1, 2),
  InvalidCase(
    "a negative exponent of 19 digits", "[-1.5e-1000000000000000000]", .exponentTooLarge, 1, 2),
  InvalidCase(
    "an exponent of 1,000 digits", "[1, 1e\(String(repeating: "9", count: 1000))]",
    .exponentTooLarge, 1, 5),
  InvalidCase("digits of full width", "[１]", .expected(.valueOrEnd, found: "“１”"), 1, 2),
  InvalidCase("a true minus sign", "[−1]", .expected(.valueOrEnd, found: "“−”"), 1, 2),
]

private let invalidStrings: [InvalidCase] = [
  InvalidCase("an open string", "[\"abc", .unexpectedEnd(.closingQuote), 1, 6),
  InvalidCase("only a quote", "\"", .unexpectedEnd(.closingQuote), 1, 2),
  InvalidCase("an open name", "{\"abc", .unexpectedEnd(.closingQuote), 1, 6),
  InvalidCase("a string that ends in a backslash", "[\"a\\", .unexpectedEnd(.closingQuote), 1, 5),
  InvalidCase(
    "a string that ends in an escaped quote", "[\"\\\"]", .unexpectedEnd(.closingQuote), 1, 6),
  InvalidCase(
    "an open string on a line", "{\n  \"a\": \"Luna,\n  \"b\": 1\n}", .controlCharacter(0x0A), 2, 14
  ),
  InvalidCase("an open string before CRLF", "[\"a\r\n\"]", .controlCharacter(0x0D), 1, 4),
  InvalidCase("a tab in a string", "[\"a\tb\"]", .controlCharacter(0x09), 1, 4),
  InvalidCase("a NUL in a string", "[\"\0\"]", .controlCharacter(0), 1, 3),
  InvalidCase("a U+001F in a string", "[\"abcdefgh\u{1F}\"]", .controlCharacter(0x1F), 1, 11),
  InvalidCase("a control character in a name", "{\"a\u{8}\":1}", .controlCharacter(8), 1, 4),
  InvalidCase("an unknown escape", #"["\a"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape of a single quote", #"["\'"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape of hexadecimal digits", #"["\x41"]"#, .invalidEscape, 1, 3),
  InvalidCase("an octal escape", #"["\0"]"#, .invalidEscape, 1, 3),
  InvalidCase("a capital escape", #"["\N"]"#, .invalidEscape, 1, 3),
  InvalidCase("a capital U", #"["\U0041"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape in braces", #"["\u{41}"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escaped line end", "[\"a\\\nb\"]", .invalidEscape, 1, 4),
  InvalidCase("an escaped emoji", "[\"\\🌀\"]", .invalidEscape, 1, 3),
  InvalidCase("an escape of three digits", #"["\u004"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape without digits", #"["\u"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape with another letter", #"["\u00g1"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape with a sign", #"["\u+041"]"#, .invalidEscape, 1, 3),
  InvalidCase("an escape that the text cuts", "\"\\u00", .invalidEscape, 1, 2),
  InvalidCase("a high surrogate alone", #"["\uD800"]"#, .loneSurrogate, 1, 3),
  InvalidCase("a high surrogate at the end", "\"\\uD800", .loneSurrogate, 1, 2),
  InvalidCase("a low surrogate alone", #"["\uDC00"]"#, .loneSurrogate, 1, 3),
  InvalidCase("two high surrogates", #"["\uD800\uD800"]"#, .loneSurrogate, 1, 3),
  InvalidCase("surrogates the wrong way round", #"["\uDd1e\uD834"]"#, .loneSurrogate, 1, 3),
  InvalidCase("a high surrogate and a letter", #"["\uD800a"]"#, .loneSurrogate, 1, 3),
  InvalidCase("a high surrogate and another escape", #"["\uD800\n"]"#, .loneSurrogate, 1, 3),
  InvalidCase(
    "a high surrogate and an escaped letter", #"["a\uD834\u0041"]"#, .loneSurrogate, 1, 4),
  InvalidCase("half a low surrogate", #"["\uD800\uDC"]"#, .invalidEscape, 1, 9),
  InvalidCase("a lone surrogate in a name", #"{"\uDEAD":1}"#, .loneSurrogate, 1, 3),
  InvalidCase("a string behind a string", "\"\"x", .trailingContent, 1, 3),
]

private func inString(_ bytes: UInt8...) -> [UInt8] {
  Array("[\"é".utf8) + bytes + Array("\"]".utf8)
}

private let invalidUTF8: [InvalidCase] = [
  InvalidCase("a continuation byte alone", bytes: inString(0x80), .invalidUTF8, 1, 4),
  InvalidCase("the last continuation byte alone", bytes: inString(0xBF), .invalidUTF8, 1, 4),
  InvalidCase("two bytes, overlong", bytes: inString(0xC0, 0xAF), .invalidUTF8, 1, 4),
  InvalidCase("two bytes, overlong, the last", bytes: inString(0xC1, 0xBF), .invalidUTF8, 1, 4),
  InvalidCase("three bytes, overlong", bytes: inString(0xE0, 0x80, 0xAF), .invalidUTF8, 1, 4),
  InvalidCase(
    "three bytes, overlong, the last", bytes: inString(0xE0, 0x9F, 0xBF), .invalidUTF8, 1, 4),
  InvalidCase("four bytes, overlong", bytes: inString(0xF0, 0x80, 0x80, 0xAF), .invalidUTF8, 1, 4),
  InvalidCase(
    "four bytes, overlong, the last", bytes: inString(0xF0, 0x8F, 0xBF, 0xBF), .invalidUTF8, 1, 4),
  InvalidCase("a high surrogate in UTF-8", bytes: inString(0xED, 0xA0, 0x80), .invalidUTF8, 1, 4),
  InvalidCase("a low surrogate in UTF-8", bytes: inString(0xED, 0xBF, 0xBF), .invalidUTF8, 1, 4),
  InvalidCase(
    "a surrogate pair in UTF-8", bytes: inString(0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E), .invalidUTF8,
    1, 4),
  InvalidCase("past U+10FFFF", bytes: inString(0xF4, 0x90, 0x80, 0x80), .invalidUTF8, 1, 4),
  InvalidCase("far past U+10FFFF", bytes: inString(0xF5, 0x80, 0x80, 0x80), .invalidUTF8, 1, 4),
  InvalidCase("five bytes", bytes: inString(0xF8, 0x88, 0x80, 0x80, 0x80), .invalidUTF8, 1, 4),
  InvalidCase("0xFE", bytes: inString(0xFE), .invalidUTF8, 1, 4),
  InvalidCase("0xFF", bytes: inString(0xFF), .invalidUTF8, 1, 4),
  InvalidCase("one byte of two", bytes: inString(0xC3), .invalidUTF8, 1, 4),
  InvalidCase("two bytes of three", bytes: inString(0xE2, 0x82), .invalidUTF8, 1, 4),
  InvalidCase("three bytes of four", bytes: inString(0xF0, 0x9F, 0x98), .invalidUTF8, 1, 4),
  InvalidCase(
    "two bytes of four and a letter", bytes: inString(0xF0, 0x9F, 0x41, 0x42), .invalidUTF8, 1, 4),
  InvalidCase("one byte of two at the end of the text", bytes: [0x22, 0xC3], .invalidUTF8, 1, 2),
  InvalidCase(
    "three bytes of four at the end of the text", bytes: [0x22, 0xF0, 0x9F, 0x98], .invalidUTF8, 1,
    2),
  InvalidCase(
    "Latin-1", bytes: Array("{\"name\": \"Zo".utf8) + [0xEB] + Array("\"}".utf8), .invalidUTF8, 1,
    13),
  InvalidCase(
    "invalid bytes in a name", bytes: Array("{\"a".utf8) + [0xFF] + Array("\":1}".utf8),
    .invalidUTF8, 1, 4),
  InvalidCase("invalid bytes outside strings", bytes: [0x5B, 0xE5, 0x5D], .invalidUTF8, 1, 2),
  InvalidCase(
    "an invalid byte behind an escape",
    bytes: Array("[\"\\u00e9".utf8) + [0x80] + Array("\"]".utf8), .invalidUTF8, 1, 9),
  InvalidCase(
    "UTF-16 in little endian with a mark", bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00],
    .invalidUTF8, 1, 1),
  InvalidCase(
    "UTF-16 in big endian without a mark", bytes: [0x00, 0x5B, 0x00, 0x5D],
    .expected(.value, found: "the character U+0000"), 1, 1),
  InvalidCase("half a byte order mark", bytes: [0xEF, 0xBB, 0x7B, 0x7D], .invalidUTF8, 1, 1),
]

private let invalidNames: [InvalidCase] = [
  InvalidCase(
    "a name twice", "{\"a\":1,\"a\":2}",
    .duplicateKey("a", first: TextPosition(line: 1, column: 2)), 1, 8),
  InvalidCase(
    "a name twice with the same value", "{\"a\":1,\n \"a\":1}",
    .duplicateKey("a", first: TextPosition(line: 1, column: 2)), 2, 2),
  InvalidCase(
    "an empty name twice", "{\"\":1,\"\":2}",
    .duplicateKey("", first: TextPosition(line: 1, column: 2)), 1, 7),
  InvalidCase(
    "a name twice by way of an escape", #"{"a":1,"b":2,"\u0061":3}"#,
    .duplicateKey("a", first: TextPosition(line: 1, column: 2)), 1, 14),
  InvalidCase(
    "a name twice by way of two escapes", #"{"\u00e9":1,"\u00E9":3}"#,
    .duplicateKey("\u{E9}", first: TextPosition(line: 1, column: 2)), 1, 13),
  InvalidCase(
    "a name twice by way of a surrogate pair", "{\"🦊\":1,\"\\ud83e\\udd8a\":3}",
    .duplicateKey("🦊", first: TextPosition(line: 1, column: 2)), 1, 8),
  InvalidCase(
    "a name three times", "{\"a\":1,\"a\":2,\"a\":3}",
    .duplicateKey("a", first: TextPosition(line: 1, column: 2)), 1, 8),
  InvalidCase(
    "a name twice inside", "[{\"x\":1},{\"b\":{\"a\":1,\"a\":2}}]",
    .duplicateKey("a", first: TextPosition(line: 1, column: 16)), 1, 22),
  InvalidCase(
    "a name twice around another object", "{\n\"a\": {\"a\": 1},\n\"b\": 1, \"a\": 1}",
    .duplicateKey("a", first: TextPosition(line: 2, column: 1)), 3, 9),
  InvalidCase(
    "a name twice among 16", many(16),
    .duplicateKey("name3", first: TextPosition(line: 5, column: 1)), 17, 1),
  InvalidCase(
    "a name twice among 17", many(17),
    .duplicateKey("name3", first: TextPosition(line: 5, column: 1)), 18, 1),
  InvalidCase(
    "a name twice among 500", many(500),
    .duplicateKey("name3", first: TextPosition(line: 5, column: 1)), 501, 1),
  InvalidCase(
    "a name twice among 18 by way of an escape", many(17, last: #"n\u0061me3"#),
    .duplicateKey("name3", first: TextPosition(line: 5, column: 1)), 18, 1),
]

/// An object with `count` members on lines of their own from line 2 on, the last of which repeats
/// the fourth one's name.
private func many(_ count: Int, last: String = "name3") -> String {
  let names = (0..<count - 1).map { "name\($0)" } + [last]
  return "{\n" + names.map { "\"\($0)\":0" }.joined(separator: ",\n") + "}"
}

private let invalidLimits: [InvalidCase] = [
  InvalidCase(
    "513 arrays deep", String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
    .tooDeep(limit: 512), 1, 513),
  InvalidCase(
    "513 deep in objects",
    String(repeating: "{\"a\":\n", count: 512) + "{}" + String(repeating: "}", count: 512),
    .tooDeep(limit: 512), 513, 1),
  InvalidCase(
    "a million brackets", String(repeating: "[", count: 1_000_000), .tooDeep(limit: 512), 1, 513),
  InvalidCase(
    "513 deep behind a shallow value", "[[],{},\(String(repeating: "[", count: 512))",
    .tooDeep(limit: 512), 1, 519),
]
