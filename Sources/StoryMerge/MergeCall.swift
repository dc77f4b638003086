import StoryLibrary

/// A request to a merge driver by git (gitattributes(5), “Defining a custom merge driver”).
public struct MergeCall: Sendable {
  /// The file of the common ancestor (`%O`), which is empty if both sides added the file.
  public var base: String
  /// The file of the current branch (`%A`), which receives the result.
  public var ours: String
  /// The file of the branch being merged (`%B`).
  public var theirs: String
  /// The path from the top of the working tree (`%P`). It is only a name; nothing is read from it.
  public var path: String
  /// The length of a conflict marker (`%L`).
  var markerSize: Int
  /// The labels of the three versions (`%S`, `%X`, `%Y`, which git expands since 2.44).
  public var labels: (base: String, ours: String, theirs: String)
  /// The folder that the paths are relative to.
  public var folder: String

  /// Creates a call from git's arguments: base, ours, theirs, path, and optionally the marker size
  /// and the labels of base, ours and theirs. Returns `nil` for fewer than four.
  public init?(_ words: [String], in folder: String) {
    guard words.count >= 4 else { return nil }
    (base, ours, theirs, path) = (words[0], words[1], words[2], words[3])
    func word(_ place: Int, _ placeholder: String) -> String? {
      guard words.indices.contains(place), words[place] != placeholder else { return nil }
      return words[place].isEmpty ? nil : words[place]
    }
    // This comes from the repository's attributes; longer markers make no sense.
    markerSize = word(4, "%L").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 500) : nil } ?? 7
    labels = (
      word(5, "%S") ?? "base", word(6, "%X") ?? "ours", word(7, "%Y") ?? "theirs"
    )
    self.folder = folder
  }

  /// The record of a merge, and the folder of its library from the top of the working tree; `nil` if
  /// ``path`` is that of neither a record nor a sidecar.
  ///
  /// A library may be below the top, in a folder named like a kind, or inside another one's. If folders on
  /// the path have a `library.json`, the innermost is used.
  var record: (ref: RecordRef, library: String)? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    func folder(_ place: Int) -> String { parts[..<place].joined(separator: "/") }
    let places = parts.indices.dropLast().filter { EntityKind(rawValue: parts[$0]) != nil }
    let place = places.last { place in
      FileSystem.exists(
        Path.join(Path.join(self.folder, folder(place)), LibraryConfiguration.fileName))
    }
    guard let place = place ?? places.first,
      let ref = RecordRef(parts[place...].filter { $0 != ".sync" }.joined(separator: "/"))
    else { return nil }
    return (ref, folder(place))
  }

  /// The commit that is being merged, and whether it is picked: merged from its own parent, as in a
  /// rebase. `nil` if git does not tell: it names the commits of `git merge` and `git pull` in
  /// variables, and since 2.44 others by ``labels``.
  var theirCommit: (name: String, isPick: Bool)? {
    let prefix = "GITHEAD_"
    let merged = ChildProcess.inheritedEnvironment.keys.filter { $0.hasPrefix(prefix) }
    if let name = merged.first {
      return merged.count == 1 ? (String(name.dropFirst(prefix.count)), false) : nil
    }
    // `0123abc (Subject)` or a branch.
    let name = labels.theirs.prefix { $0 != " " }
    return labels.theirs == "theirs" || name.hasPrefix("-") ? nil : (String(name), true)
  }
}
