import Foundation
import JSONText
import TestSupport
import Testing

/// Texts that nest as deep as is allowed, on the small stack that threads have on some systems.
@Suite("Deep texts", .inTurn)
struct DeepTextTests {
  private static let stackSize = 512 << 10

  struct Deep: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String

    var testDescription: String { name }

    /// A text of the deepest nesting that is parsed.
    init(_ name: String, _ open: String, _ middle: String, _ close: String) {
      func depth(_ part: String) -> Int { part.count { $0 == "[" || $0 == "{" } }
      let count = (JSONDocument.maximumDepth - depth(middle)) / depth(open)
      self.name = name
      text = String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }
  }

  static let texts = [
    Deep("arrays", "[", "", "]"),
    Deep("objects", "{\"a\":", "{\"b\": 1.0}", "}"),
    Deep("both", "[{\"content\":", "[1,2.0]", "}]"),
    Deep("arrays with more in them", "[1,", "\"\\u0061\"", ",true]"),
  ]

  @Test("are parsed and freed on a small stack", arguments: texts)
  func parsing(deep: Deep) async throws {
    try await onSmallStack {
      let document = try JSONDocument(parsing: deep.text)
      #expect(document.root.value.isNull == false)
      #expect(document.layout == JSONLayout(colon: document.layout.colon))
    }
  }

  @Test("are compared on a small stack", arguments: texts)
  func comparing(deep: Deep) async throws {
    try await onSmallStack {
      let value = try JSONValue(parsing: Array(deep.text.utf8))
      let other = try JSONValue(parsing: Array(deep.text.utf8))
      #expect((value == other) == true)
      #expect((value == .array([other])) == false)
    }
  }

  @Test("are hashed on a small stack", arguments: texts)
  func hashing(deep: Deep) async throws {
    try await onSmallStack {
      let value = try JSONValue(parsing: Array(deep.text.utf8))
      let other = try JSONValue(parsing: Array(deep.text.utf8))
      #expect(value.hashValue == other.hashValue)
    }
  }

  @Test("are written on a small stack", arguments: texts)
  func writing(deep: Deep) async throws {
    try await onSmallStack {
      let value = try JSONValue(parsing: Array(deep.text.utf8))
      let layout = JSONLayout(indent: "\t", brokenArrays: ["content"])
      for bytes in [value.compactBytes, value.fileBytes(), value.fileBytes(layout: layout)] {
        #expect(try (JSONValue(parsing: bytes) == value) == true)
      }
    }
  }

  @Test("are edited on a small stack", arguments: texts)
  func editing(deep: Deep) async throws {
    try await onSmallStack {
      let document = try JSONDocument(parsing: "{\"x\": 1}")
      let value = try JSONValue(parsing: Array(deep.text.utf8))
      // One level of the text's own has to go, to make room for the object around it.
      guard
        let inner = value.array?.last(where: { $0.array != nil || $0.object != nil }) ?? value["a"]
      else { return }
      let edited = try document.setting([("x", inner)])
      #expect((edited.root["x"]?.value == inner) == true)
      #expect(try edited.setting([("x", inner)]).bytes == edited.bytes)
      #expect(try edited.setting([("x", 1)]).bytes == document.bytes)
    }
  }

  private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try body() }) }
      thread.stackSize = Self.stackSize
      thread.start()
    }
  }
}
