import JSONText
import TestSupport

@testable import StoryLibrary

/// Makes records in every layout that a person or an editor may give them.
struct RecordGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The names and ids that references are taken from.
  static let references: ReferenceTable = {
    var table = ReferenceTable()
    for name in ["luna", "family/otto", "caf\u{E9}"] {
      table.add(RecordRef(kind: .heroes, name: name), id: "h-" + name)
      table.add(RecordRef(kind: .events, name: name), id: "e-" + name)
    }
    return table
  }()

  // MARK: Values

  mutating func string(_ longest: Int = 6) -> String {
    let pieces = [
      "a", "B", " ", "\n", "\r\n", "\"", "\\", "/", "\u{E9}", "e\u{301}", "\u{1F319}", "\t", "雪",
      "\u{2028}", "\u{7F}", "\u{1}", "-", "0",
    ]
    return (0..<random.below(longest + 1)).map { _ in random.pick(pieces) }.joined()
  }

  /// A value of a field in wire form; `nil` for none.
  mutating func wireValue(_ field: Field) -> JSONValue? {
    if random.oneIn(4) { return nil }
    if !field.isRequired, random.oneIn(8) { return .some(.null) }
    switch field.shape {
    case .text: return .string(string())
    case .choice(let choices): return .string(random.pick(choices))
    case .lines:
      return .string((0..<1 + random.below(6)).map { _ in string(4) }.joined(separator: "\n"))
    case .phrases: return random.oneIn(2) ? .string(string()) : list()
    case .integer, .number: return .number(JSONNumber(random.below(30)))
    case .boolean: return .bool(random.oneIn(2))
    case .list: return list()
    case .reference(let kind):
      let prefix = kind == .heroes ? "h-" : "e-"
      return .string(prefix + random.pick(["luna", "family/otto", "caf\u{E9}", "far"]))
    }
  }

  private mutating func list() -> JSONValue {
    .array((0..<random.below(5)).map { _ in .string(string()) })
  }

  mutating func values(_ kind: EntityKind) -> FieldValues {
    var values = FieldValues(kind: kind)
    for field in kind.schema.fields { values[field] = wireValue(field) }
    return values
  }

  /// The same values with a few others.
  mutating func edited(_ values: FieldValues) -> FieldValues {
    var edited = values
    for field in values.kind.schema.fields where random.oneIn(3) {
      if case .string(let text)? = values[field], field.shape == .lines, random.oneIn(2) {
        var lines = RecordFile.lines(of: text)
        lines[random.below(lines.count)] = "changed"
        if random.oneIn(2) { lines.insert("new", at: random.below(lines.count + 1)) }
        edited[field] = .string(lines.joined(separator: "\n"))
      } else {
        edited[field] = wireValue(field)
      }
    }
    return edited
  }

  // MARK: Texts

  /// A file that means `values`, with unknown members among them, in a layout of its own.
  mutating func text(_ values: FieldValues) -> [UInt8] {
    var members: [(key: String, value: JSONValue)] = []
    for field in values.kind.schema.fields {
      guard let value = values[field] else { continue }
      members.append(member(field, value))
    }
    for number in 0..<random.below(4) {
      members.append((key: "own \(number)" + string(2), value: anyValue(2)))
    }
    members = shuffled(members)
    let layout = TextLayout(
      indent: random.pick(["  ", "    ", "\t", ""]), lineEnd: random.pick(["\n", "\r\n"]),
      colon: random.pick([":", ": ", " : "]), isInline: random.oneIn(4))
    var text = random.oneIn(4) ? "\u{FEFF}" : ""
    text += container(
      "{", members.map { quoted($0.key) + layout.colon + written($0.value, layout, 1) }, "}",
      layout, 0)
    return Array((text + random.pick(["", layout.lineEnd, " \t"])).utf8)
  }

  private struct TextLayout {
    var indent: String
    var lineEnd: String
    var colon: String
    var isInline: Bool
  }

  private mutating func member(_ field: Field, _ value: JSONValue) -> (String, JSONValue) {
    switch (field.shape, value) {
    case (.reference(let kind), .string(let id)):
      guard let name = Self.references.name(of: kind, id: id), random.below(4) > 0 else {
        return (field.wireKey, value)
      }
      return (field.key, .string(name))
    case (.lines, .string(let text)) where random.below(4) > 0:
      var elements: [String] = []
      for line in RecordFile.lines(of: text) {
        // Now and then two lines in one element.
        if let last = elements.last, random.oneIn(6) {
          elements[elements.count - 1] = last + "\n" + line
        } else {
          elements.append(line)
        }
      }
      return (field.key, .array(elements.map { .string($0) }))
    default: return (field.key, value)
    }
  }

  private mutating func anyValue(_ depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 7 : 5) {
    case 0: return .null
    case 1: return .bool(true)
    case 2:
      return .number(
        JSONNumber(literal: random.pick(["1.0", "-0", "1e3", "9007199254740993"])) ?? JSONNumber(0))
    case 3, 4: return .string(string())
    case 5: return .array((0..<random.below(4)).map { _ in anyValue(depth - 1) })
    default:
      return .object(
        JSONObject((0..<random.below(4)).map { (key: "k\($0)", value: anyValue(depth - 1)) }))
    }
  }

  private mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    guard random.oneIn(2) else { return elements }
    return elements.shuffled(using: &random)
  }

  private mutating func written(_ value: JSONValue, _ layout: TextLayout, _ depth: Int) -> String {
    switch value {
    case .null, .bool: return value.compactText
    case .number(let number):
      guard let whole = number.integer, random.oneIn(3) else { return number.literal }
      let tenfold = whole == 0 ? "0" : "\(whole)0e-1"
      return random.pick(["\(whole)", "\(whole).0", "\(whole)e0", tenfold])
    case .string(let string): return quoted(string)
    case .array(let elements):
      var inner = layout
      if elements.allSatisfy({ $0.string != nil }), random.oneIn(2) { inner.isInline = true }
      return container("[", elements.map { written($0, inner, depth + 1) }, "]", inner, depth)
    case .object(let object):
      return container(
        "{",
        object.members.map { quoted($0.key) + layout.colon + written($0.value, layout, depth + 1) },
        "}", layout, depth)
    }
  }

  private mutating func container(
    _ open: String, _ parts: [String], _ close: String, _ layout: TextLayout, _ depth: Int
  ) -> String {
    if parts.isEmpty { return open + random.pick(["", " "]) + close }
    if layout.isInline { return open + parts.joined(separator: random.pick([",", ", "])) + close }
    let outer = layout.lineEnd + String(repeating: layout.indent, count: depth)
    let inner = outer + layout.indent
    return open + inner + parts.joined(separator: "," + inner) + outer + close
  }

  private mutating func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if scalar == "/", random.oneIn(3) {
        text += "\\/"
      } else if mustEscape || random.oneIn(12) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
