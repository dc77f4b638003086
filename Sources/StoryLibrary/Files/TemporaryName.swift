#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name of a file on its way to replace another, which tells what to do with it after a crash.
///
/// `.stories-tmp-<digest of the new content>-<digest of what it replaces>-<final name>`, sixteen
/// hexadecimal digits each, zeros where nothing is replaced. What lies under such a name is either
/// the new content (not yet in place), the old one (already replaced), or something that an editor
/// saved in between, which must not be lost.
struct TemporaryName: Sendable, Equatable {
  static let prefix = ".stories-tmp-"
  /// The longest final name, in bytes, that leaves room for the rest in 255 bytes.
  static let longestFinalName = RecordRef.longestPart + 5

  var new: String
  var old: String
  var finalName: String

  /// The name beside `path` on the way to it.
  ///
  /// - Throws: `FileError`: ENAMETOOLONG where the final name leaves no room.
  init(new: ContentDigest?, old: ContentDigest?, for path: String) throws(FileError) {
    self.new = Self.short(new)
    self.old = Self.short(old)
    finalName = Path.name(path)
    guard finalName.utf8.count <= Self.longestFinalName else {
      throw FileError(.write, path: path, code: ENAMETOOLONG)
    }
  }

  /// The parts of a name; `nil` for one of another form.
  init?(_ name: String) {
    guard Self.isPrefix(of: name) else { return nil }
    let parts = name.utf8.dropFirst(Self.prefix.utf8.count).split(
      separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 16, parts[1].count == 16, !parts[2].isEmpty else {
      return nil
    }
    new = String(Substring(parts[0]))
    old = String(Substring(parts[1]))
    finalName = String(Substring(parts[2]))
  }

  /// Whether a file of that name is on its way to another one.
  static func isPrefix(of name: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

  var text: String { Self.prefix + new + "-" + old + "-" + finalName }

  /// Whether `digest` is of the new or the replaced content: nothing that a person did since.
  func knows(_ digest: ContentDigest) -> Bool {
    let short = Self.short(digest)
    return short == new || short == old
  }

  /// Whether `digest` is of the new content.
  func isNew(_ digest: ContentDigest) -> Bool { Self.short(digest) == new }

  /// Whether `digest` is of the replaced content.
  func isOld(_ digest: ContentDigest) -> Bool { Self.short(digest) == old }

  /// Whether new content is written; else something is removed.
  var writes: Bool { new != Self.short(nil) }

  /// Whether certain content is replaced or removed; else whatever is there, or nothing.
  var replaces: Bool { old != Self.short(nil) }

  private static func short(_ digest: ContentDigest?) -> String {
    digest.map { String($0.description.prefix(16)) } ?? String(repeating: "0", count: 16)
  }
}
