public import JSONText

extension Problem {
  /// What is wrong with a file, as data; the program makes the words.
  public enum What: Sendable, Hashable {
    // MARK: Files

    /// A file or folder that cannot be read, with the system's error if it is known.
    case unreadable(FileError?)
    /// A folder, a link or a device with the name of a file, and the error of reading it, if any.
    case notAFile(FileError?)
    /// A symbolic link in a kind's folder.
    case link
    /// Folders below a kind's that nest deeper than `limit`.
    case tooDeep(EntityKind, limit: Int)
    /// A folder in a kind's folder with a `library.json` of its own.
    case otherLibrary
    /// A name that no record can have.
    case name(RecordRef.NameFault)
    /// A name that is not UTF-8; `hides` is the kind whose records may be below it.
    case nameNotUTF8(hides: EntityKind?)
    /// A name that some systems take for this path, which differs only by case or Unicode form.
    case nameCollision(String, isCase: Bool)
    /// A file that is not a record because of its name, or its folder if it looks like a record of
    /// this kind; it belongs at `target`.
    case stray(EntityKind?, target: String, Target)
    /// A new record of this kind in the folder of another one.
    case wrongFolder(EntityKind, in: EntityKind)
    /// A new record with the same content as this one.
    case sameContent(RecordRef)
    /// A file that changed while a command rewrote it.
    case savedMeanwhile
    /// A file that a command left alone because it is open in an editor, with the process that waits
    /// for that.
    case isOpen(holder: String)
    /// A file that a command could not rewrite, with the reason of the system or the JSON editor.
    case notRewritten(String)
    /// A file that `fix` could not repair, with the error of writing it; `nil` if it is read-only.
    indirect case notRepaired(What, FileError?)
    /// A failure without a case of its own, as the error describes itself.
    case failed(String)

    // MARK: Text

    /// The text is not JSON: the parser's error, and the text around it.
    case syntax(JSONSyntaxError, Excerpt)
    /// The file has nothing but white space. `isNew` if it is a record's without a sidecar, so that there is
    /// no last synced version.
    case empty(isJSON: Bool, isNew: Bool = false)
    /// Git's conflict markers. `labels` are git's names of a record's two versions, none if they
    /// cannot be told apart.
    case conflictMarkers(labels: [String], isToolResult: Bool = false)
    /// A file that git has not merged, and the commit of the side that has it: `HEAD`, which git calls
    /// “ours”, or the other; `nil` if neither has it. `lacksOther` says whether the pair's other file is
    /// not in the working tree.
    case unmerged(keptIn: String?, lacksOther: Bool)
    /// One side of git's conflict, with this name, is not a record.
    indirect case markedVersion(label: String, What)
    /// Neither side of git's conflict is a record.
    case noMarkedVersion
    /// JSON that is not an object.
    case notAnObject(JSONNode.Kind)
    /// JSON without records, in a file of a server's answers.
    case noRecords
    /// A list of answers in the file of this path that has only some of the server's records.
    case partialList(String, EntityKind, count: Int, total: Int)
    /// A mistake in a story's text or its front matter.
    case storyText(StoryText.Fault)

    // MARK: Fields of records

    /// A field that a record needs.
    case missing(Field, isNull: Bool, in: Form)
    /// A member that seems to be the missing field of this name.
    case misspelt(String, field: String, EntityKind)
    /// A second member for the field of another one, or a second one of the same name.
    case ambiguous(String, with: String?)
    /// A member that is not a field, and the field with a similar name.
    case unknownField(String, nearest: String?, in: Form)
    /// A value of the wrong type; the type that it has, if it matters.
    case wrongType(String, WireMismatch.Expected, found: JSONNode.Kind?)
    /// A number with a fraction in a field of whole numbers.
    case notWhole(String, JSONNumber)
    /// A number that is out of range.
    case outOfRange(String, ClosedRange<Int>, JSONNumber)
    /// A list with too few or too many elements.
    case wrongCount(String, ClosedRange<Int>, Int)
    /// A text without content.
    case blank(String)
    /// A text with too many characters.
    case tooLong(String, count: Int, limit: Int)
    /// A text that is not one of the allowed ones.
    case choice(String, value: String, allowed: [String])
    /// A value that a person wrote for a field in conflict, and that is not JSON.
    case valueNotJSON(String, JSONSyntaxError)

    // MARK: References

    /// A reference to a record that is not in the library, and what is probably meant.
    case unknownReference(RecordRef, Guess?)
    /// A reference by an id that no record of this kind has in the library, and not that of the server's
    /// version. The server may have it.
    case unknownID(String, EntityKind)
    /// A reference by a record's former name.
    case outdatedReference(RecordRef, present: String)
    /// A value for a field in conflict that references a record which is not on the server yet.
    case unsentReference(RecordRef)
    /// A record that was deleted locally, while these still reference it.
    case stillNamed(RecordRef, by: [RecordRef])

    // MARK: Sidecars

    /// A malformed sidecar.
    case sidecar(Sidecar.Fault)
    /// A sidecar that is not JSON, with the parser's error, or `nil` if it is empty.
    case sidecarNotJSON(JSONSyntaxError?)
    /// A sidecar with a version that this program does not know.
    case newerSidecar(version: Int)
    /// Git's conflict markers in a sidecar, whose versions a sync merges.
    case markedSidecar
    /// Git's conflict markers around the sidecars of two records.
    case twoSidecars(areReadable: Bool)
    /// A sidecar with the ids of several records that cannot be taken apart.
    case severalIDs([String])
    /// The sidecar of this record has the content of another kind.
    case otherKind(EntityKind, of: RecordRef)
    /// An edited record whose sidecar a sparse checkout leaves out.
    case sidecarNotCheckedOut(RecordRef)
    /// An id that others have too: up to three paths, and the number of `more`. `sidecar` is the
    /// record's own, `nil` if none of the sidecars has a record.
    case duplicateID([String], more: Int, sidecar: String?)
    /// A sidecar without its record, although nothing shows a delete. If the scan is not complete,
    /// the record may be in a folder that cannot be read.
    case missingRecord(RecordRef, isComplete: Bool)
    /// Nobody edited the record, but the sidecar of this path is of another version
    /// (``ScanEntry/isOutdated``).
    case outdatedRecord(String)
    /// A record that disappeared together with its sidecar.
    case missingPair(RecordRef)
    /// The content of git's index, where it differs from what a commit should have.
    case staged(Staged)

    // MARK: Files of the library

    /// `library.json` is too large.
    case tooLarge
    /// `library.json` has no version.
    case noVersion
    /// A setting of `library.json` with a wrong value, and its text if it is one. Without a name,
    /// the file is not an object.
    case wrongSetting(String?, text: String? = nil)
    /// A member of `library.json` whose name resembles that of a setting.
    case unknownSetting(String, nearest: String)
    /// A setting that cannot be written, with the reason of the JSON editor.
    case settingNotWritten(String, String)
    /// A word in the policies of `library.json` that is not a kind, a field or a strategy.
    case policy(Policies.Part, String, allowed: [String])
    /// A damaged line in the journal of a run.
    case damagedJournal
    /// A server's version that a sync needs, but does not know.
    case versionUnknown
  }

  /// Whether a file may be moved to the path of a record.
  public enum Target: Sendable, Hashable {
    /// Nothing has that path.
    case free
    /// Another file has it.
    case taken
    /// A sidecar has no record there.
    case missing
  }

  /// The form of a record.
  public enum Form: Sendable, Hashable {
    /// A record file, or a record of a server's answer.
    case record
    /// A story's text.
    case text
    /// A story that is imported, for which the command line can name the hero: a text, or JSON.
    case importedStory(isJSON: Bool)
    /// A text that is edited: of a story, or for a conflict.
    case draft
  }

  /// What a reference to nothing may mean.
  public enum Guess: Sendable, Hashable {
    /// A record that was removed locally and that the server may still have.
    case removed
    /// The record of this name, given by its path.
    case path(String)
    /// A record, given by its id; the field of this name takes one.
    case id(field: String)
    /// The record of this name, given by its title.
    case title(String)
    /// The record of this name, which is similar.
    case similar(String)
  }

  /// The ways in which git's index differs from what a commit should have.
  public enum Staged: Sendable, Hashable {
    /// Git does not return a text of the index.
    case unreadable
    /// `library.json` is removed.
    case noConfiguration
    /// `library.json` is a link or a folder.
    case configurationNotAFile
    /// A new sidecar without its record.
    case sidecar(RecordRef)
    /// A sidecar whose record is removed.
    case leftSidecar(RecordRef)
    /// A record without its sidecar.
    case record(RecordRef)
    /// A sidecar with an older version of its record.
    case olderRecord(RecordRef)
  }

  /// The text around a syntax error, which shows how to fix it.
  public struct Excerpt: Sendable, Hashable {
    /// The text up to the error, from the last byte that is not white space; empty at the start.
    public let before: [UInt8]
    /// The text from the error on, cut off after 200 bytes.
    public let after: [UInt8]

    init(_ offset: Int, in bytes: [UInt8]) {
      let end = Self.valueEnd(before: offset, bytes)
      before = end == 0 ? [] : Array(bytes[(end - 1)..<offset])
      after = Array(bytes[offset...].prefix(200))
    }

    /// Returns the offset after the last byte before `offset` that is not white space.
    static func valueEnd(before offset: Int, _ bytes: [UInt8]) -> Int {
      (bytes[..<offset].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? -1) + 1
    }
  }

  /// The type of the problem, for scripts.
  public var code: Code { what.code }
}

extension StoryText {
  /// A mistake in a story's text or its front matter.
  public enum Fault: Sendable, Hashable {
    /// A line that is not UTF-8.
    case notUTF8
    /// The front matter does not end.
    case openFrontMatter
    /// An indented line, or one with a dash, that belongs to no field.
    case strayLine
    /// A line that is not a field.
    case notAField
    /// A field that occurs twice in the front matter.
    case twice(String)
    /// The story's text, in the front matter.
    case textInFrontMatter(String)
    /// A list in brackets that does not end.
    case openList
    /// A list in brackets without a comma between two elements.
    case noComma
    /// A quoted text that does not end on its line.
    case openQuote
    /// A backslash before something that it does not escape.
    case escape
    /// An escape of a number that is not a character.
    case notACharacter
    /// More text after a value.
    case textAfterValue
    /// A field with a list or an object instead of a single text.
    case notASingleText(String)
  }
}

extension Sidecar {
  /// The way in which a sidecar is malformed.
  public enum Fault: Sendable, Hashable {
    /// It, or the member of this name, is not an object.
    case notAnObject(String?)
    /// A member is missing.
    case missing(String)
    /// The conflict has no fields.
    case noFields
    /// The conflict has this member, which is not a field.
    case unknownField(String)
    /// A member has a value that it cannot have.
    case wrongValue(String)
    /// A field's value is of the wrong type.
    case wrongType(String, WireMismatch.Expected, found: JSONNode.Kind)
  }
}

extension Problem.What {
  /// The type of the problem, for scripts.
  var code: Problem.Code {
    switch self {
    case .unreadable, .tooDeep, .nameNotUTF8, .savedMeanwhile, .isOpen, .notRewritten, .failed,
      .tooLarge, .damagedJournal, .versionUnknown, .staged(.unreadable):
      .unreadable
    case .notAFile, .link, .staged(.configurationNotAFile): .notAFile
    case .otherLibrary: .otherLibrary
    case .name, .stray(nil, _, _): .name
    case .nameCollision: .nameCollision
    case .stray, .wrongFolder: .wrongFolder
    case .sameContent: .sameContent
    case .notRepaired(let what, _), .markedVersion(_, let what): what.code
    case .syntax, .valueNotJSON: .syntax
    case .empty: .empty
    case .conflictMarkers, .markedSidecar, .twoSidecars: .conflictMarkers
    case .unmerged: .unmerged
    case .noMarkedVersion, .notAnObject, .noRecords: .notAnObject
    case .storyText(.notASingleText): .type
    case .storyText: .syntax
    case .partialList, .missing, .misspelt, .noVersion, .staged(.noConfiguration): .missing
    case .ambiguous: .ambiguous
    case .unknownField, .unknownSetting: .unknownKey
    case .wrongType, .notWhole, .wrongSetting, .settingNotWritten: .type
    case .outOfRange, .wrongCount: .range
    case .blank, .tooLong: .length
    case .choice, .policy: .choice
    case .unknownReference, .unknownID, .outdatedReference, .unsentReference, .stillNamed:
      .reference
    case .sidecar, .sidecarNotJSON, .severalIDs, .otherKind, .sidecarNotCheckedOut, .staged:
      .sidecar
    case .newerSidecar: .newerVersion
    case .duplicateID: .duplicateID
    case .missingRecord, .missingPair: .missingRecord
    case .outdatedRecord: .outdatedRecord
    }
  }
}
