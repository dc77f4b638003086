/// The name of a temporary file, from which a later run can tell what to do with it after a crash.
///
/// `.stories-tmp-<digest of the new content>-<digest of the replaced content>-<final name>`, with
/// sixteen hexadecimal digits each, or zeros if nothing is replaced. The file holds the new content
/// (not yet in place), the old content (already replaced), or something that an editor saved in
/// between, which must not be lost.
struct TemporaryName: Sendable, Equatable {
  static let prefix = ".stories-tmp-"
  /// The maximum length of a final name in bytes, so that the whole name fits into 255.
  static let longestFinalName = RecordRef.longestPart + 5

  var new: String
  var old: String
  var finalName: String

  /// Creates the temporary name for a change of `path`.
  ///
  /// - Throws: `FileError`: ENAMETOOLONG if the final name is too long.
  init(new: ContentDigest?, old: ContentDigest?, for path: String) throws(FileError) {
    self.new = Self.short(new)
    self.old = Self.short(old)
    finalName = Path.name(path)
    guard finalName.utf8.count <= Self.longestFinalName else {
      throw .nameTooLong(path)
    }
  }

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

  static func isPrefix(of name: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

  var text: String { Self.prefix + new + "-" + old + "-" + finalName }

  /// Returns whether `digest` is that of the new or the replaced content and not of an edit.
  func knows(_ digest: ContentDigest) -> Bool {
    let short = Self.short(digest)
    return short == new || short == old
  }

  func isNew(_ digest: ContentDigest) -> Bool { Self.short(digest) == new }

  func isOld(_ digest: ContentDigest) -> Bool { Self.short(digest) == old }

  /// Whether new content is written, rather than a file removed.
  var writes: Bool { new != Self.short(nil) }

  /// Whether specific content is replaced or removed, rather than anything or nothing.
  var replaces: Bool { old != Self.short(nil) }

  private static func short(_ digest: ContentDigest?) -> String {
    digest.map { String($0.description.prefix(16)) } ?? String(repeating: "0", count: 16)
  }
}
