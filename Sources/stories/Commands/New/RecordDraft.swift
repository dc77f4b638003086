import JSONText
import StoryLibrary

/// A record to be created.
struct RecordDraft: Sendable {
  let kind: EntityKind
  let title: String
  /// The folder below the kind's own, or `nil` for the kind's own.
  let folder: String?
  /// The members other than the name or title, by their keys in a file.
  let members: JSONObject
  /// The text that members came from, or `nil`; errors in them are reported there.
  var source: IncomingRecord?

  init(kind: EntityKind, title: String, folder: String?, members: JSONObject) {
    self.kind = kind
    self.title = title
    self.folder = folder
    self.members = members
  }

  /// Returns the record's name, made from its title.
  ///
  /// - Throws: `CommandError.badName` if the title is empty or the folder is invalid.
  func ref() throws(CommandError) -> RecordRef {
    let noun = kind.schema.noun
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw .badName(title, what: "a \(noun)'s \(kind.schema.titleKey)")
    }
    let name = Path.join(kind.inner(folder ?? ""), Slug.make(title, fallback: noun))
    guard !name.hasPrefix("/"), RecordRef.isWellFormed(name) else {
      throw .badName(folder ?? "", what: "a folder in \(kind.folder)/")
    }
    return RecordRef(kind: kind, name: name)
  }

  var fileMembers: JSONObject {
    var object = members
    object[kind.schema.titleKey] = .string(title)
    return object
  }
}

extension EntityKind {
  /// Returns a folder of the command line as one below the kind's own, which it may start with.
  func inner(_ folder: String) -> String {
    var inner = folder
    while inner.hasSuffix("/") { inner.removeLast() }
    if inner == self.folder { return "" }
    if inner.hasPrefix(self.folder + "/") { inner.removeFirst(self.folder.count + 1) }
    return inner
  }
}
