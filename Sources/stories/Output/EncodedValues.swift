import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryServer
import StorySync

// How the values of the libraries stand in the documents of `--json`.

/// A value that encodes itself as an object whose members are not just its properties.
protocol MemberEncodable: Encodable {
  var members: Members { get }
}

extension MemberEncodable {
  func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension RecordRef: Encodable {
  func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension StatusCode: Encodable {
  func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension ServerDate: Encodable {
  func encode(to encoder: any Encoder) throws { try wire.encode(to: encoder) }
}

extension RecordState: Encodable {}
extension EntityKind: Encodable {}
extension Strategy: Encodable {}
extension Feature: Encodable {}
extension MediaKind: Encodable {}
extension MediaState: Encodable {}
extension MediaPrune.Reason: Encodable {}
extension EngineRole: Encodable {}

extension Problem: MemberEncodable {
  var members: Members {
    [
      "file": file, "line": position?.line, "column": position?.column,
      "severity": severity.rawValue, "code": code.rawValue, "message": message, "hint": advice,
    ]
  }
}

extension Diagnostic: MemberEncodable {
  var members: Members {
    [
      "severity": severity.rawValue, "area": area.rawValue, "code": code, "file": file,
      "line": position?.line, "column": position?.column, "message": message,
      "nextSync": outlook, "hint": hint, "repair": repair?.words,
    ]
  }
}

extension FailureStore.Failure: MemberEncodable {
  var members: Members { ["message": message, "hint": hint] }
}

extension EngineError: MemberEncodable {
  var members: Members { ["code": code, "message": message] }
}

extension Array where Element: Encodable {
  /// The list, left out of a document if it is empty.
  var filled: Omitted<[Element]> { Omitted(isEmpty ? nil : self) }
}

extension Duration {
  /// The whole seconds, as documents have spans of time.
  var wholeSeconds: Int { Int(components.seconds) }
}

extension [RecordState: Int] {
  var inOrder: JSONObject {
    JSONObject(
      RecordState.allCases.compactMap { state in
        self[state].map { (key: state.rawValue, value: .number($0)) }
      })
  }
}

extension Members {
  /// A file, with line and column where they are known.
  static func place(_ file: String, _ position: TextPosition?) -> Members {
    ["file": file, "line": Omitted(position?.line), "column": Omitted(position?.column)]
  }
}
