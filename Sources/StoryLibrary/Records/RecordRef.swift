/// The name of a record in a library: its kind and its path under the kind's folder, without
/// `.json`.
///
/// Two names that differ only in Unicode form are the same name, as they are the same file on some
/// systems.
public struct RecordRef: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The path under the kind's folder: `luna`, `family/otto`.
  public let name: String
  /// The kind of the record.
  public let kind: EntityKind

  /// A ref from a kind and a name that is known to be well formed.
  public init(kind: EntityKind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// A ref from what people type: `heroes/luna`, also with `.json` behind it.
  ///
  /// - Returns: `nil` where the first component is no kind or a later one is empty, hidden, `.` or
  ///   `..`.
  public init?(_ text: String) {
    var path = text.utf8[...]
    if path.suffix(5).elementsEqual(".json".utf8) { path = path.dropLast(5) }
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")),
      let kind = EntityKind(rawValue: String(Substring(path[..<slash])))
    else { return nil }
    let name = String(Substring(path[path.index(after: slash)...]))
    guard Self.isWellFormed(name) else { return nil }
    self.init(kind: kind, name: name)
  }

  /// Whether `name` can be a record's name: components without a leading dot, none empty, no
  /// control characters.
  public static func isWellFormed(_ name: String) -> Bool {
    // By bytes, as the system sees it: a slash with a combining mark behind it is a slash.
    name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.first != UInt8(ascii: ".")
    } && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// The record's file, relative to the library's root: `heroes/luna.json`.
  public var path: String { "\(kind.folder)/\(name).json" }

  /// The sidecar's file, relative to the library's root: `heroes/.sync/luna.json`.
  public var sidecarPath: String {
    let folder = Path.parent(name)
    let prefix = folder.isEmpty ? "" : folder + "/"
    return "\(kind.folder)/\(prefix).sync/\(Path.name(name)).json"
  }

  /// `heroes/luna`.
  public var description: String { "\(kind.folder)/\(name)" }

  /// Orders by kind as they are created, then by name.
  public static func < (lhs: RecordRef, rhs: RecordRef) -> Bool {
    lhs.kind == rhs.kind ? lhs.name < rhs.name : lhs.kind < rhs.kind
  }
}
