/// The name of a record in a library: its kind and its path in the kind's folder, without `.json`.
///
/// Names that differ only in Unicode form are equal: on some systems they are the same file.
public struct RecordRef: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The path in the kind's folder, such as `luna` or `family/otto`.
  public let name: String
  /// The kind of the record.
  public let kind: EntityKind

  /// Creates a name from a kind and a well-formed path.
  public init(kind: EntityKind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Parses user input such as `heroes/luna`, with or without `.json`.
  ///
  /// - Returns: `nil` if the first component is not a kind or another is empty, hidden, `.` or
  ///   `..`.
  public init?(_ text: String) {
    var path = text.utf8[...]
    if path.suffix(5).elementsEqual(".json".utf8) { path = path.dropLast(5) }
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")),
      let kind = EntityKind(rawValue: String(Substring(path[..<slash])))
    else { return nil }
    let name = String(Substring(path[path.index(after: slash)...]))
    // A longer name is possible for a file; callers check the length.
    guard Self.hasPlainParts(name), Self.fault(in: name) != .controlCharacter else { return nil }
    self.init(kind: kind, name: name)
  }

  /// Returns whether `name` is valid: no component is empty or hidden, and no ``NameFault``.
  public static func isWellFormed(_ name: String) -> Bool {
    hasPlainParts(name) && fault(in: name) == nil
  }

  private static func hasPlainParts(_ name: String) -> Bool {
    // By bytes, as the system sees it: a slash followed by a combining mark is still a slash.
    name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.first != UInt8(ascii: ".")
    }
  }

  /// The reason that a possible file name is invalid for a record.
  public enum NameFault: Sendable, Hashable {
    /// It contains a control character: U+0000 to U+001F, or U+007F to U+009F.
    case controlCharacter
    /// A component has this many bytes, more than ``longestPart``.
    case tooLong(bytes: Int)
  }

  /// The maximum length of a component in bytes, leaving room for temporary names.
  public static let longestPart = 200

  /// Returns the reason that `name`, a path in a kind's folder, is invalid for a record, or `nil`.
  public static func fault(in name: String) -> NameFault? {
    var last: UInt8 = 0
    var (length, longest) = (0, 0)
    for byte in name.utf8 {
      // U+0080 to U+009F are C2 80 to C2 9F.
      if byte < 0x20 || byte == 0x7F || last == 0xC2 && byte < 0xA0 { return .controlCharacter }
      last = byte
      length = byte == UInt8(ascii: "/") ? 0 : length + 1
      longest = max(longest, length)
    }
    return longest > longestPart ? .tooLong(bytes: longest) : nil
  }

  /// The record's path relative to the library's root, such as `heroes/luna.json`.
  public var path: String { "\(kind.folder)/\(name).json" }

  /// The sidecar's path relative to the library's root, such as `heroes/.sync/luna.json`.
  public var sidecarPath: String {
    let folder = Path.parent(name)
    let prefix = folder.isEmpty ? "" : folder + "/"
    return "\(kind.folder)/\(prefix).sync/\(Path.name(name)).json"
  }

  /// The kind's folder and the name, such as `heroes/luna`.
  public var description: String { "\(kind.folder)/\(name)" }

  /// Orders by kind in creation order, then by name.
  public static func < (lhs: RecordRef, rhs: RecordRef) -> Bool {
    lhs.kind == rhs.kind ? lhs.name < rhs.name : lhs.kind < rhs.kind
  }
}

/// The kind of file that a path in a kind's folder names.
package enum TrackedPath: Equatable {
  /// A record's file.
  case record(RecordRef)
  /// A record's sidecar.
  case sidecar(RecordRef)

  /// Parses a path relative to the library's root; fails if it belongs to no record.
  package init?(_ path: String) {
    guard path.utf8.suffix(5).elementsEqual(".json".utf8) else { return nil }
    let folder = Path.parent(path)
    if Path.name(folder) == ".sync" {
      guard let ref = RecordRef(Path.join(Path.parent(folder), Path.name(path))) else { return nil }
      self = .sidecar(ref)
    } else {
      guard let ref = RecordRef(path) else { return nil }
      self = .record(ref)
    }
  }
}
