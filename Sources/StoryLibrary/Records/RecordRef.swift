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
    // A file may have a longer name than a record; that is for others to say.
    guard Self.hasPlainParts(name), Self.fault(in: name) != .controlCharacter else { return nil }
    self.init(kind: kind, name: name)
  }

  /// Returns whether `name` can be a record's name: components without a leading dot, none empty, and
  /// no ``NameFault``.
  public static func isWellFormed(_ name: String) -> Bool {
    hasPlainParts(name) && fault(in: name) == nil
  }

  private static func hasPlainParts(_ name: String) -> Bool {
    // By bytes, as the system sees it: a slash with a combining mark behind it is a slash.
    name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.first != UInt8(ascii: ".")
    }
  }

  /// Why a name that a file can have must not be a record's.
  public enum NameFault: Sendable, Hashable {
    /// It contains a control character: U+0000 to U+001F, or U+007F to U+009F.
    case controlCharacter
    /// A part between slashes has so many bytes, more than ``longestPart``.
    case tooLong(bytes: Int)
  }

  /// The longest part of a name between slashes, in bytes: a file on its way to the name needs the rest
  /// of what systems allow.
  public static let longestPart = 200

  /// Returns why `name`, a path below a kind's folder, is refused as a record's name, or `nil`.
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
