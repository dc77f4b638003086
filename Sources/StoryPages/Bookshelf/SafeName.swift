import StoryLibrary

/// Names for files that every file system can hold, also that of a USB stick.
enum SafeName {
  /// Returns the name of a record with only such characters, which no other record has.
  ///
  /// Most names stay as they are. Others (`Ben?`, `CON`) get a part of their digest, so that names
  /// that differ only by case stay apart.
  static func of(_ ref: RecordRef) -> String {
    var full = ref.kind.folder
    return ref.name.split(separator: "/").map { part in
      full += "/" + part
      let slug = Slug.make(String(part), fallback: ref.kind.schema.noun)
      let isSafe = slug == part && part.utf8.allSatisfy { $0 < 0x80 }
      return isSafe ? slug : Slug.distinguished(slug, id: full)
    }.joined(separator: "/")
  }
}
