import StoryLibrary

/// A merge of one file as git asks a merge driver for it (gitattributes(5), “Defining a custom merge
/// driver”).
public struct MergeCall: Sendable {
  /// The file with what both sides started from (`%O`); an empty one where both added it.
  public var base: String
  /// The file of the branch that is checked out (`%A`); what comes out is written into it.
  public var ours: String
  /// The file of the branch that is merged in (`%B`).
  public var theirs: String
  /// The path in the working tree (`%P`), from its top; only a name, nothing is read from it.
  public var path: String
  /// How many characters a marker has (`%L`).
  public var markerSize: Int
  /// What git calls the three versions (`%S`, `%X`, `%Y`; since git 2.44, older ones leave the letters).
  public var labels: (base: String, ours: String, theirs: String)
  /// The folder that the files' paths count from.
  public var folder: String

  /// A call from git's words: base, ours, theirs, path, and if git gives them the size of a marker and
  /// the labels of base, ours and theirs; `nil` for fewer than four.
  public init?(_ words: [String], in folder: String) {
    guard words.count >= 4 else { return nil }
    (base, ours, theirs, path) = (words[0], words[1], words[2], words[3])
    func word(_ place: Int, _ placeholder: String) -> String? {
      guard words.indices.contains(place), words[place] != placeholder else { return nil }
      return words[place].isEmpty ? nil : words[place]
    }
    // An attribute of the repository says how long; nobody means more than a screen's width.
    markerSize = word(4, "%L").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 500) : nil } ?? 7
    labels = (
      word(5, "%S") ?? "base", word(6, "%X") ?? "ours", word(7, "%Y") ?? "theirs"
    )
    self.folder = folder
  }

  /// The record that a path in a working tree belongs to, also by its sidecar's; `nil` for a path that
  /// no record can have.
  ///
  /// A library may lie below the top, in a folder whose name is a kind's as well: where one of the
  /// folders on the way holds a `library.json`, that decides.
  static func record(at path: String, in top: String) -> RecordRef? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    let places = parts.indices.dropLast().filter { EntityKind(rawValue: parts[$0]) != nil }
    let place = places.first { place in
      let root = Path.join(top, parts[..<place].joined(separator: "/"))
      return FileSystem.exists(Path.join(root, "library.json"))
    }
    guard let place = place ?? places.first else { return nil }
    return RecordRef(parts[place...].filter { $0 != ".sync" }.joined(separator: "/"))
  }
}
