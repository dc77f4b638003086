/// Writes markup as text that is both HTML and XML, so that pages and books have one writer.
///
/// Elements that are always empty are closed in their start tag, all others by an end tag. Characters
/// that XML cannot hold (NUL and other control characters, noncharacters) are left out.
public struct MarkupWriter: Sendable {
  /// The form of a document.
  public enum Form: Sendable {
    /// A page for browsers.
    case html
    /// A chapter of a book, or another XML document.
    case xml
  }

  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates a writer, with the start of a document of that form.
  public init(_ form: Form, isPage: Bool = true) {
    if form == .xml { bytes += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8 }
    if isPage { bytes += "<!DOCTYPE html>\n".utf8 }
  }

  /// Returns a whole document.
  public static func document(_ form: Form, isPage: Bool = true, _ root: Markup) -> [UInt8] {
    var writer = MarkupWriter(form, isPage: isPage)
    writer.write(root)
    return writer.bytes
  }

  /// Returns and removes what was written, to pass on a long document in parts.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes a part of a page.
  public mutating func write(_ markup: Markup) {
    switch markup {
    case .text(let text): Self.escape(text, inAttribute: false, into: &bytes)
    case .group(let parts): for part in parts { write(part) }
    case .element(let name, let attributes, let content):
      if content.isEmpty, Self.void.contains(name.description) {
        open(name, attributes, end: "/>")
        bytes.append(UInt8(ascii: "\n"))
      } else {
        start(name, attributes)
        write(content)
        end(name)
      }
    }
  }

  /// Writes the start of an element whose content follows.
  public mutating func start(_ name: StaticString, _ attributes: Attributes = [:]) {
    open(name, attributes, end: ">")
    if Self.containers.contains(name.description) { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Writes the end of an element.
  public mutating func end(_ name: StaticString) {
    bytes += "</".utf8
    append(name)
    bytes.append(UInt8(ascii: ">"))
    // Blocks end lines, so that a change of a page is a change of few lines.
    if !Self.inline.contains(name.description) { bytes.append(UInt8(ascii: "\n")) }
  }

  private mutating func open(_ name: StaticString, _ attributes: Attributes, end: StaticString) {
    bytes.append(UInt8(ascii: "<"))
    append(name)
    for (name, value) in attributes.list {
      bytes.append(UInt8(ascii: " "))
      append(name)
      bytes += "=\"".utf8
      Self.escape(value, inAttribute: true, into: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    append(end)
  }

  private mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  // MARK: Names

  private static let void: Set<String> = [
    "br", "hr", "img", "input", "link", "meta", "source",
    // EPUB packages, media overlays and SVG.
    "item", "itemref", "rootfile", "text", "rect", "circle", "path", "stop",
  ]

  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "button", "code", "del", "em", "ins", "label", "mark", "small", "span",
    "strong", "time", "tspan",
  ]

  private static let containers: Set<String> = [
    "html", "head", "body", "header", "main", "nav", "section", "article", "footer", "ul", "ol",
    "dl", "figure", "form",
    // HTML drops a line end right after the start of these, which their text may begin with.
    "pre", "textarea",
  ]

  // MARK: Escaping

  /// Appends text with the characters escaped that have a meaning in markup.
  private static func escape(_ text: String, inAttribute: Bool, into bytes: inout [UInt8]) {
    var text = text
    let isAppended = text.withUTF8 { utf8 in
      // C1 controls and noncharacters have one of these lead bytes, in which most scripts have few.
      guard utf8.allSatisfy({ isPlain($0) }) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if isAppended { return }
    for scalar in readable(text).unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"" where inAttribute: bytes += "&quot;".utf8
      case "\n" where inAttribute: bytes += "&#10;".utf8
      case "\t" where inAttribute: bytes += "&#9;".utf8
      default: bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
  }

  /// Returns a text as a browser reads it from a page: without the characters that are left out, and
  /// with line feeds as line ends.
  static func readable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        result.append("\n")
      } else if isAllowed(scalar), !(isAfterReturn && scalar == "\n") {
        result.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return String(result)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    case ..<0x20, 0x7F, 0xC2, 0xEF, 0xF0...: false
    default: true
    }
  }

  /// Returns whether both XML 1.0 (section 2.2) and HTML (section 13.2.3.5) allow a character.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case ..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
