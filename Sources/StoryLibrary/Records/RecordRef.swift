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
  /// - Returns: `nil` if the first component is not a kind, or if the name has one of the faults
  ///   ``NameFault/part(_:)`` and ``NameFault/controlCharacter``.
  public init?(_ text: String) {
    let path = (Path.withoutJSON(text) ?? text).utf8
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")),
      let kind = EntityKind(rawValue: String(Substring(path[..<slash])))
    else { return nil }
    let name = String(Substring(path[path.index(after: slash)...]))
    switch Self.fault(in: name) {
    case .controlCharacter, .part: return nil
    // A longer name is possible for a file; callers check the length.
    case nil, .tooLong, .tooDeep, .ending: self.init(kind: kind, name: name)
    }
  }

  /// Returns whether `name` is valid: it has no ``NameFault``.
  public static func isWellFormed(_ name: String) -> Bool { fault(in: name) == nil }

  /// The reason that a name is invalid for a record.
  public enum NameFault: Sendable, Hashable {
    /// It contains a control character: U+0000 to U+001F, or U+007F to U+009F.
    case controlCharacter
    /// No scan looks at this component: it is empty, it begins with a dot, as `.sync` and `..` do,
    /// or it is a folder whose name ends in `.json`.
    case part(String)
    /// A component has this many bytes, more than ``longestPart``.
    case tooLong(bytes: Int)
    /// Its folders nest deeper than a scan looks, which is `limit`.
    case tooDeep(limit: Int)
    /// Its last component ends in `.json`: a word such as `heroes/luna.json` means another record. No
    /// new record gets such a name, but a file may have it, so ``RecordRef/fault(in:)`` does not return this.
    case ending(String)
  }

  /// The maximum length of a component in bytes, leaving room for temporary names.
  public static let longestPart = 200

  /// Returns the reason that `name`, a path in a kind's folder, is invalid for a record, or `nil`.
  public static func fault(in name: String) -> NameFault? {
    var last: UInt8 = 0
    for byte in name.utf8 {
      // U+0080 to U+009F are C2 80 to C2 9F.
      if byte < 0x20 || byte == 0x7F || last == 0xC2 && byte < 0xA0 { return .controlCharacter }
      last = byte
    }
    // By bytes, as the system sees it: a slash followed by a combining mark is still a slash.
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let unseen =
      parts.first { $0.isEmpty || $0.first == UInt8(ascii: ".") }
      ?? parts.dropLast().first { $0.suffix(5).elementsEqual(".json".utf8) }
    if let unseen { return .part(String(Substring(unseen))) }
    let longest = parts.lazy.map(\.count).max() ?? 0
    if longest > longestPart { return .tooLong(bytes: longest) }
    let limit = FolderWalk.maximumDepth
    return parts.count - 1 > limit ? .tooDeep(limit: limit) : nil
  }

  /// The problem of a name that is invalid for a record, or `nil`.
  package var nameProblem: Problem? {
    Self.fault(in: name).map { Problem(.name($0), file: path) }
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

  /// The folder of a story's illustrations, below theirs: the story's name, without the ending of files,
  /// because no scan looks at a folder that has it.
  package var pictureFolder: String {
    var name = name
    while let stem = Path.withoutJSON(name) { name = stem }
    return name
  }

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
    guard Path.withoutJSON(path) != nil else { return nil }
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
