import JSONText
import TestSupport

/// Makes random values, and texts of them in all the ways that JSON allows.
struct TextGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  // MARK: Values

  mutating func value(depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 10 : 7) {
    case 0: return nil
    case 1: return .bool(random.oneIn(2))
    case 2, 3: return .number(number())
    case 4...6: return .string(string())
    case 7, 8: return .array((0..<random.below(5)).map { _ in value(depth: depth - 1) })
    default: return .object(object(depth: depth - 1, count: random.below(5)))
    }
  }

  mutating func object(depth: Int, count: Int) -> JSONObject {
    JSONObject((0..<count).map { _ in (key: name(), value: value(depth: depth)) })
  }

  /// A literal of the form `-123e-4` or `-123`, which ``literal(equalTo:)`` can take apart.
  mutating func number() -> JSONNumber {
    let sign = random.oneIn(3) ? "-" : ""
    if random.oneIn(8) { return JSONNumber(literal: sign + "0") ?? JSONNumber(0) }
    var digits = String(1 + random.below(9))
    for _ in 0..<random.below(random.oneIn(10) ? 30 : 4) { digits += String(random.below(10)) }
    let exponent = random.oneIn(2) ? "" : "e" + String(random.below(random.oneIn(9) ? 900 : 9) - 4)
    return JSONNumber(literal: sign + digits + exponent) ?? JSONNumber(0)
  }

  mutating func string() -> String {
    (0..<random.below(random.oneIn(8) ? 40 : 7)).reduce(into: "") { text, _ in
      text += random.pick(Self.pieces)
    }
  }

  mutating func name() -> String {
    random.oneIn(4) ? string() : random.pick(["name", "age", "title", "content", "é", "e\u{301}"])
  }

  private static let pieces = [
    "a", "b", "Luna", " ", "snow", "0", "/", "\"", "\\", "\n", "\t", "\r", "\0", "\u{1}", "\u{1F}",
    "\u{7F}", "\u{80}", "é", "e\u{301}", "ß", "€", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "雪", "🦊",
    "\u{10FFFF}", "👩\u{200D}👧", "{", "]", ",", ":",
  ]

  /// A value that differs from `value` in one place.
  mutating func mutation(of value: JSONValue) -> JSONValue {
    switch value {
    case .null: return random.pick([false, 0, "", [], [:]])
    case .bool(let bool): return random.pick([.bool(!bool), nil, 1])
    case .number(let number):
      // One digit more in front: ten times or more what it was, or something instead of zero.
      let digits = number.literal.drop { $0 == "-" }
      let sign = number.literal.hasPrefix("-") ? "-" : ""
      return random.pick([.number(JSONNumber(literal: sign + "1" + digits) ?? JSONNumber(1)), nil])
    case .string(let string):
      return .string(random.oneIn(2) ? string + "\u{301}" : "x" + string)
    case .array(var elements):
      if elements.isEmpty || random.oneIn(3) {
        elements.insert(nil, at: random.below(elements.count + 1))
        return .array(elements)
      }
      let place = random.below(elements.count)
      if random.oneIn(3) {
        elements.remove(at: place)
      } else {
        elements[place] = mutation(of: elements[place])
      }
      return .array(elements)
    case .object(var object):
      guard let name = object.keys.isEmpty ? nil : random.pick(object.keys), !random.oneIn(4) else {
        object[object.keys.reduce("x", +)] = JSONValue.null
        return .object(object)
      }
      let mutated = mutation(of: object[name] ?? .null)
      object[name] = random.oneIn(3) ? Optional.none : mutated
      return .object(object)
    }
  }

  // MARK: Texts

  /// How the text of a value is laid out.
  enum Style: CaseIterable {
    case compact, spaced, padded, lines, tabs, linesCRLF, wide, commaFirst, chaos

    var lineEnd: String { self == .linesCRLF || self == .tabs ? "\r\n" : "\n" }
    var indent: String? {
      switch self {
      case .lines, .linesCRLF, .commaFirst: "  "
      case .wide: "    "
      case .tabs: "\t"
      case .compact, .spaced, .padded, .chaos: nil
      }
    }
  }

  mutating func style() -> Style { random.pick(Style.allCases) }

  /// A text of a value: members in any order, literals and escapes in any form.
  mutating func text(of value: JSONValue, style: Style, keepsOrder: Bool = false) -> [UInt8] {
    var text = random.oneIn(8) ? "\u{FEFF}" : ""
    if style == .chaos { text += space() }
    write(value, to: &text, style: style, depth: 0, keepsOrder: keepsOrder)
    text += style == .chaos ? space() : random.oneIn(4) ? "" : style.lineEnd
    return Array(text.utf8)
  }

  private mutating func write(
    _ value: JSONValue, to text: inout String, style: Style, depth: Int, keepsOrder: Bool
  ) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += literal(equalTo: number)
    case .string(let string): write(string, to: &text)
    case .array(let elements):
      text += "["
      for (place, element) in elements.enumerated() {
        text += gap(style, depth: depth + 1, isFirst: place == 0)
        write(element, to: &text, style: style, depth: depth + 1, keepsOrder: keepsOrder)
      }
      if !elements.isEmpty || style == .chaos { text += tail(style, depth: depth) }
      text += "]"
    case .object(let object):
      text += "{"
      let members = keepsOrder ? object.members : object.members.shuffled(using: &random)
      for (place, member) in members.enumerated() {
        text += gap(style, depth: depth + 1, isFirst: place == 0)
        write(member.key, to: &text)
        text += style == .chaos ? space() + ":" + space() : style == .compact ? ":" : ": "
        write(member.value, to: &text, style: style, depth: depth + 1, keepsOrder: keepsOrder)
      }
      if !members.isEmpty || style == .chaos { text += tail(style, depth: depth) }
      text += "}"
    }
  }

  /// What stands in front of an element or member.
  private mutating func gap(_ style: Style, depth: Int, isFirst: Bool) -> String {
    let lead = style.lineEnd + String(repeating: style.indent ?? "", count: depth)
    switch style {
    case .compact: return isFirst ? "" : ","
    case .spaced: return isFirst ? "" : ", "
    case .padded: return isFirst ? " " : ", "
    case .chaos: return isFirst ? space() : space() + "," + space()
    case .commaFirst: return isFirst ? " " : lead.dropLast(2) + ", "
    case .lines, .linesCRLF, .wide, .tabs: return (isFirst ? "" : ",") + lead
    }
  }

  private mutating func tail(_ style: Style, depth: Int) -> String {
    switch style {
    case .compact, .spaced: ""
    case .padded: " "
    case .chaos: space()
    case .lines, .linesCRLF, .wide, .tabs, .commaFirst:
      style.lineEnd + String(repeating: style.indent ?? "", count: depth)
    }
  }

  private mutating func space() -> String {
    random.oneIn(2)
      ? ""
      : (0..<random.below(4)).map { _ in random.pick([" ", "\n", "\t", "\r", "\r\n"]) }.joined()
  }

  // MARK: Literals and escapes

  /// Another way to write a number that ``number()`` made.
  private mutating func literal(equalTo number: JSONNumber) -> String {
    if random.oneIn(3) { return number.literal }
    let parts = number.literal.split(separator: "e")
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let digits = Array(parts[0].drop { $0 == "-" })
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if digits == ["0"] {
      return random.pick(["0", "-0", "0.0", "0e5", "-0.00E-3", "0e+0"])
    }
    // The point goes behind some of the digits, or in front of all.
    let point = random.below(digits.count + 1)
    exponent += digits.count - point
    var text = sign + (point == 0 ? "0" : String(digits[..<point]))
    let fraction = String(digits[point...]) + String(repeating: "0", count: random.below(3))
    if !fraction.isEmpty { text += "." + fraction }
    if exponent != 0 || random.oneIn(3) {
      text += random.pick(["e", "E"])
      text += exponent < 0 ? "-" : random.pick(["", "+"])
      text += String(repeating: "0", count: random.below(3)) + String(exponent.magnitude)
    }
    return text
  }

  private mutating func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if !mustEscape, !random.oneIn(6) {
        text.unicodeScalars.append(scalar)
      } else if let short = Self.shortEscapes[scalar], random.oneIn(2) {
        text += short
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    text += "\""
  }

  private static let shortEscapes: [Unicode.Scalar: String] = [
    "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n",
    "\r": "\\r", "\t": "\\t",
  ]
}
