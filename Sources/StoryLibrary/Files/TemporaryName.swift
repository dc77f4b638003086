/// The name of a file on its way to replace another, which tells what to do with it after a crash.
///
/// `.stories-tmp-<digest of the new content>-<digest of what it replaces>-<final name>`, sixteen
/// hexadecimal digits each, zeros where nothing is replaced. What lies under such a name is either
/// the new content (not yet in place), the old one (already replaced), or something that an editor
/// saved in between, which must not be lost.
struct TemporaryName: Sendable, Equatable {
  static let prefix = ".stories-tmp-"
  /// The longest final name, in bytes, that leaves room for the rest in 255 bytes.
  static let longestFinalName = 200

  var new: String
  var old: String
  var finalName: String

  init(new: ContentDigest?, old: ContentDigest?, finalName: String) {
    self.new = Self.short(new)
    self.old = Self.short(old)
    self.finalName = finalName
  }

  init?(_ name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    let parts = name.dropFirst(Self.prefix.count).split(
      separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 16, parts[1].utf8.count == 16,
      !parts[2].isEmpty
    else { return nil }
    new = String(parts[0])
    old = String(parts[1])
    finalName = String(parts[2])
  }

  var text: String { Self.prefix + new + "-" + old + "-" + finalName }

  /// Whether `digest` is of the new or the replaced content: nothing that a person did since.
  func knows(_ digest: ContentDigest) -> Bool {
    let short = Self.short(digest)
    return short == new || short == old
  }

  private static func short(_ digest: ContentDigest?) -> String {
    digest.map { String($0.description.prefix(16)) } ?? String(repeating: "0", count: 16)
  }
}
