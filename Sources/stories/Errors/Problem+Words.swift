import JSONText
import StoryLibrary
import StorySync

extension Problem {
  /// The problem in words, without the place.
  var message: String { words.message }
  /// The advice, or `nil` if the message is enough.
  var advice: String? { words.advice }
  /// The text `file:line:column: message`, with the position if known.
  var text: String { Phrases.place(file, position) + ": " + message }

  struct Words {
    var message: String
    var advice: String?

    init(_ message: String, _ advice: String? = nil) {
      (self.message, self.advice) = (message, advice)
    }
  }

  private var words: Words {
    switch what {
    // MARK: Files
    case .unreadable(let error):
      if let error, error.isTooLarge, TrackedPath(file) != nil {
        .init(
          "cannot be read: it is larger than \(JSONDocument.maximumSize >> 20) MiB",
          "shorten it, or move it out of the library")
      } else {
        .init(error.map { "cannot be read: \($0.reason)" } ?? "it cannot be read")
      }
    case .notAFile(let error):
      .init(
        "this is " + (error.map { "\($0.obstacle), " } ?? "") + "not a file",
        "records are plain files; links are not followed")
    case .link: .init("symbolic links are not followed")
    case .tooDeep(let kind, let limit):
      .init("folders nest deeper than \(limit)", "move it up; \(Self.noDeletes(kind))")
    case .otherLibrary:
      .init(
        "this folder is a library of its own, so it is ignored",
        "open it with `stories -C \(fileWord)`, or move it out of this library")
    case .name(.controlCharacter):
      .init(
        "the name contains a control character", "give the file or folder a name without it")
    case .name(.part("")):
      .init(
        "no part of a record's name may be empty", "leave out a leading, trailing or double “/”")
    case .name(.part(let part)):
      .init(
        part.hasPrefix(".")
          ? "“\(part)” begins with a dot, and such files and folders are not records"
          : "the folder “\(part)” ends in .json, as only records do", "choose another name")
    case .name(.ending(let name)):
      .init(
        "a new record's name cannot end in .json: “\(name)”", "only its file ends in .json, once")
    case .name(.tooLong(let bytes)):
      .init(
        "the name is too long: \(bytes) bytes, and at most \(RecordRef.longestPart) are allowed",
        "give the file or folder a shorter name")
    case .name(.tooDeep(let limit)):
      .init("folders nest deeper than \(limit)", "choose a folder nearer the top")
    case .nameNotUTF8(let kind):
      .init(
        "this name is not UTF-8, so it cannot be a record's",
        kind.map { "rename it; \(Self.noDeletes($0))" } ?? "rename the file")
    case .nameCollision(let other, let isCase):
      .init(
        "the name differs from \(other) only \(isCase ? "by case" : "in its Unicode form")",
        isCase
          ? "rename one of them: some systems treat them as one file"
          : "rename or remove one of them in a file manager or the shell: some systems treat them as"
            + " one file")
    case .stray(let kind, let target, let state):
      .init(
        kind.map { "this looks like \($0.schema.nounWithArticle), but it is not in \($0.folder)/" }
          ?? "this is not a record, because its name does not end in .json",
        state.advice(
          kind.map { "move it to \($0.folder)/" } ?? "rename it to \(Path.name(target))", target))
    case .wrongFolder(let kind, let folder):
      .init(
        "this looks like \(kind.schema.nounWithArticle), but it is in \(folder.folder)/",
        "move it to \(kind.folder)/")
    case .sameContent(let other):
      .init(
        "this new \(other.kind.schema.noun) has the same content as \(other.path)",
        "change or remove one of them: as they are, both are created on the server")
    case .savedMeanwhile:
      .init("the file was saved in the meantime", "run the same command again")
    case .isOpen(let holder):
      .init(
        "the file is open in an editor (\(holder))", "close it, then run the same command again")
    case .notRewritten(let reason): .init("cannot be rewritten: \(reason)")
    case .notRepaired(_, let error):
      .init("could not be repaired: \(error?.reason ?? "the file is read-only")")
    case .failed(let description): .init(description)

    // MARK: Text
    case .syntax(let error, let excerpt): .init(error.message, error.advice(excerpt))
    case .empty(_, isNew: true): .init("the file is empty", "write the record, or remove the file")
    case .empty(let isJSON, isNew: false): .init("the file is empty", isJSON ? emptyAdvice : nil)
    case .conflictMarkers(let labels, let isToolResult):
      .init(
        "this file contains git's conflict markers"
          + (labels.isEmpty || labels.contains("")
            ? "" : ": two versions, “\(labels[0])” and “\(labels[1])”"),
        isToolResult
          ? nil
          : labels.isEmpty
            ? "resolve the conflict in an editor and \(Self.markers)"
            : RecordRef(file).map { "see both versions and decide: stories resolve \($0.word)" })
    case .unmerged(let commit, let lacksOther):
      .init(
        "git left this file unmerged: "
          + (commit.map { "only \($0 == "HEAD" ? "“ours”" : "“theirs”") has it" }
            ?? "neither side has it"),
        (commit.map { commit in
          "to keep it: `git add -- \(fileWord)`"
            + (!lacksOther
              ? "; "
              : commit == "COMMIT"
                ? ", and bring \(otherWord) back from the same commit; "
                : " and `git checkout \(commit) -- \(otherWord)`; ")
        } ?? "") + "to remove it: `git rm --ignore-unmatch -- \(fileWord) \(otherWord)`;"
          + " then finish what git began")
    case .markedVersion(let label, let what):
      .init(
        "without the other side of git's conflict, the version “\(label)” is not a record: "
          + Problem(what, file: file).message, "edit the file, and \(Self.markers)")
    case .noMarkedVersion: .init("is not a record on either side")
    case .notAnObject(let found):
      .init(
        "a record must be a JSON object, but this is \(found.words)",
        found == .array && RecordRef(file) != nil
          ? "a file holds one record: remove the “[” and “]” around it" : nil)
    case .noRecords:
      .init(
        "not a hero, story or event, or a list of them",
        "write it as the API answers, such as {\"stories\": [ … ]}")
    case .partialList(let path, let kind, let count, let total):
      .init(
        "\(path) has \(count) of \(total) \(kind.folder)",
        "the rest is on further pages of the list")
    case .storyText(let fault): fault.words

    // MARK: Fields of records
    case .missing(let field, let isNull, let form):
      .init(
        "“\(field.key)” "
          + (form == .draft
            ? "must not be empty" : isNull ? "needs a value, but this is null" : "is missing"),
        form.advice(field, isNull: isNull))
    case .misspelt(let name, let field, let kind):
      .init(
        "“\(name)” should be “\(field)”",
        "rename it: every \(kind.schema.noun) needs “\(field)”")
    case .ambiguous(let name, let other):
      .init(
        "“\(name)” " + (other.map { "means the same as “\($0)”" } ?? "is given twice"),
        "keep one of the two")
    case .unknownField(let name, let nearest, let form):
      .init(
        "unknown field “\(name)”"
          + (form == .record ? " (not synced)" : form == .draft ? "" : " (ignored)"),
        nearest.map { "did you mean “\($0)”?" })
    case .wrongType(let name, let expected, let found):
      .init(
        "“\(name)” must be \(expected.rawValue)"
          + (found.map { ", but this is \($0.words)" } ?? ""))
    case .notWhole(let name, let number):
      .init("“\(name)” must be a whole number, but this is \(JSONValue.number(number).compactText)")
    case .outOfRange(let name, let range, let number):
      .init(
        number.integer.map {
          "“\(name)” must be between \(range.lowerBound) and \(range.upperBound), but this is \($0)"
        } ?? "“\(name)” is \(number.double < 0 ? "too small" : "too large"):"
          + " it must be between \(range.lowerBound) and \(range.upperBound)")
    case .wrongCount(let name, let range, let count):
      .init(
        "“\(name)” has \(count) elements, but \(range.lowerBound) to \(range.upperBound) are allowed"
      )
    case .blank(let name): .init("“\(name)” must not be empty")
    case .tooLong(let name, let count, let limit):
      .init("“\(name)” has \(count) characters, but at most \(limit) are allowed")
    case .choice(let name, let value, let allowed):
      .init(
        "“\(name)” must be one of \(allowed.joined(separator: ", ")), not “\(value)”",
        Self.nearest(value, among: allowed))
    case .valueNotJSON(let name, let error): .init("“\(name)” is no JSON: \(error.message)")

    // MARK: References
    case .unknownReference(let ref, let guess):
      .init(
        "there is no \(ref.kind.schema.noun) “\(ref.name)” in this library",
        guess.map { $0.advice(ref.kind) }
          ?? "create it with `stories new \(ref.kind.schema.noun)`, or name an existing one")
    case .unknownID(let name, let kind):
      .init(
        "“\(name)” is the id of no \(kind.schema.noun) in this library",
        "write “\(kind.schema.noun)” with the name of a file in \(kind.folder)/; nothing is wrong if only the"
          + " server has this \(kind.schema.noun)")
    case .outdatedReference(let ref, let present):
      .init(
        "the \(ref.kind.schema.noun) “\(ref.name)” is now called “\(present)”",
        "the next `stories sync` updates the name")
    case .unsentReference(let ref):
      .init(
        "\(ref) is not on the server yet",
        "push it first, or write it into \(file) and take --local")
    case .stillNamed(let ref, let referrers):
      .init(
        SafetyStop.stillNamed(ref, by: referrers).message + "; a push stops",
        SafetyStop.stillNamed(ref, by: referrers).hint)

    // MARK: Sidecars
    case .sidecar(let fault): .init("not a valid sidecar: " + fault.words, sidecarAdvice)
    case .sidecarNotJSON(let error): .init(error?.message ?? "the file is empty", sidecarAdvice)
    case .newerSidecar(let version):
      .init(
        "this sidecar was written by a newer version of stories (version \(version))",
        "install the newest stories")
    case .markedSidecar:
      .init("this file contains git's conflict markers", "`stories sync` repairs it")
    case .twoSidecars(let areReadable):
      .init(
        "git left two sidecars in this file, which belong to different records",
        areReadable
          ? "choose one: stories resolve " + ShellWord.quoting(recordOfSidecar) : takingOneVersion)
    case .severalIDs(let ids):
      .init(
        "several records of the server stand in this sidecar, and its text cannot be taken apart: "
          + ids.joined(separator: ", "), takingOneVersion)
    case .otherKind(let kind, let ref):
      .init(
        "this is the sidecar of \(kind.schema.nounWithArticle), not of "
          + ref.kind.schema.nounWithArticle,
        "move \(ref.path) and \(ref.sidecarPath) back to \(kind.folder)/")
    case .sidecarNotCheckedOut(let ref):
      .init(
        "is edited, but git keeps its sidecar out of the working tree, so it is not synced",
        "check it out: git sparse-checkout add \(ShellWord.quoting(Path.parent(ref.sidecarPath)))")
    case .duplicateID(let others, let more, let sidecar):
      .init(
        "has the same server id as " + others.joined(separator: ", ")
          + (more > 0 ? " and \(more) more" : "")
          + (sidecar == nil ? ", and none of them has a record" : ""),
        sidecar.map {
          "keep one of them: remove \(file) and \($0); or, if it is a copy that should become its"
            + " own record, only \($0)"
        } ?? "to delete it on the server, remove all of these sidecars but one; to have it back,"
          + " remove all and run `stories sync pull`")
    case .missingRecord(let ref, let isComplete):
      .init(
        "its record is missing, "
          + (isComplete
            ? "and nothing shows that anyone deleted it"
            : "but may be in a folder that cannot be read"),
        "`stories sync pull` writes the record again; `stories rm \(ref.word)` deletes it on the"
          + " server")
    case .outdatedRecord(let sidecar):
      .init(
        "nobody edited it, but its sidecar \(sidecar) is of another version that came from elsewhere:"
          + " git or a program that copies files may have stopped between the two",
        "finish that first (with git, see `git status`); otherwise `stories sync pull` writes the"
          + " version of the sidecar")
    case .missingPair(let ref):
      .init(
        "it is gone together with its sidecar, so it is not deleted on the server",
        "`stories sync pull` brings it back; then `stories rm \(ref.word)` deletes it")
    case .staged(let staged): staged.words(file)

    // MARK: Files of the library
    case .tooLarge:
      .init(
        "the file is larger than 1 MiB, so it is not a library's",
        "restore an earlier version, or create a new library: stories init")
    case .noVersion: .init("“version” is missing", "add \"version\": 1")
    case .wrongSetting(let name, let text):
      .init(
        Self.wrong(name),
        name == "server" ? text.flatMap { Self.nearest($0, among: ["embedded"]) } : nil)
    case .unknownSetting(let name, let nearest):
      .init(
        "“\(name)” is not a setting, so it has no effect", "did you mean “\(nearest)”?")
    case .settingNotWritten(let name, let reason): .init("cannot set “\(name)”: \(reason)")
    case .policy(let part, let word, let allowed):
      .init(
        "there is no \(part.rawValue) “\(word)” (allowed: \(allowed.joined(separator: ", ")))",
        Self.nearest(word, among: allowed))
    case .damagedJournal:
      .init(
        "this line of the journal is damaged",
        "look at the file; remove it to go on without what it says")
    case .versionUnknown: .init("the server's version is not known")
    }
  }

  private static let markers = "remove the lines with <<<<<<<, ======= and >>>>>>>"

  private static func noDeletes(_ kind: EntityKind) -> String {
    "until then nothing of \(kind.folder)/ is deleted on the server"
  }

  private static func nearest(_ word: String, among known: [String]) -> String? {
    Nearest.match(word, among: known).map { "did you mean “\($0)”?" }
  }

  private static func wrong(_ setting: String?) -> String {
    switch setting {
    case "version": "“version” must be a number of at least 1"
    case "server": "“server” must be \"embedded\" or an address such as \"https://stories.example\""
    case "api": "“api” must be \"v0\", \"v1\", \"kinto\" or \"auto\""
    case "synced": "“synced” must have a “server” and an “account”"
    case let name: "\(name.map { "“\($0)”" } ?? "library.json") must be an object"
    }
  }

  /// The file's path as a word of a command.
  private var fileWord: String { ShellWord.quoting(file) }

  /// The path of the pair's other file as a word of a command.
  private var otherWord: String {
    let (folder, name) = (Path.parent(file), Path.name(file))
    let isSidecar = Path.name(folder) == ".sync"
    return ShellWord.quoting(
      Path.join(isSidecar ? Path.parent(folder) : Path.join(folder, ".sync"), name))
  }

  /// The path of the record, without its extension, if this is a sidecar's problem.
  private var recordOfSidecar: String {
    Path.join(Path.parent(Path.parent(file)), String(Path.name(file).dropLast(5)))
  }

  private var emptyAdvice: String {
    RecordRef(file).map {
      "write the record, or bring back an older version: stories restore "
        + ShellWord.quoting("\($0)") + " (with git: `git checkout -- \(fileWord)`)"
    } ?? "`git checkout -- \(fileWord)` brings back an older version"
  }

  private var sidecarAdvice: String {
    "the next `stories sync` rebuilds it from the server's record, and fields that differ become conflicts;"
      + " to keep an older one instead: `git checkout -- \(fileWord)`"
  }

  /// The advice for a file whose versions cannot be told apart.
  private var takingOneVersion: String {
    """
    `git checkout --ours -- \(fileWord)` or `--theirs` takes one of the two versions; after the \
    merge is over, `git checkout COMMIT -- \(fileWord)`
    """
  }
}

extension Problem.Target {
  fileprivate func advice(_ move: String, _ target: String) -> String {
    switch self {
    case .free: move
    case .taken: "\(target) exists too: compare them, then give this one another name"
    case .missing: "\(target) is missing: \(move) only if it is that record"
    }
  }
}

extension Problem.Form {
  fileprivate func advice(_ field: Field, isNull: Bool) -> String? {
    switch (self, field.shape) {
    case (.text, _): "add it to the front matter"
    case (.importedStory(true), _): "add “\(field.key)” to it, or give --hero NAME"
    case (.importedStory(false), _):
      "add “\(field.key): NAME” to the front matter, or give --hero NAME"
    case (.draft, _): nil
    case (.record, _) where isNull: nil
    case (.record, .lines): "write it as an array of lines"
    case (.record, .reference(let kind)): "name a file in \(kind.folder)/, without .json"
    case (.record, _): "add \"\(field.key)\": … to the file"
    }
  }
}

extension Problem.Guess {
  fileprivate func advice(_ kind: EntityKind) -> String {
    switch self {
    case .removed: "the server may still have it; restore its file, or name another one"
    case .path(let name): "write “\(name)”, its path below \(kind.folder)/ without .json"
    case .id(let field): "this is an id: use the name of the file, or the key “\(field)”"
    case .title(let name):
      "this is the \(kind.schema.noun)'s \(kind.schema.titleKey): write “\(name)”, its file"
    case .similar(let name): "did you mean “\(name)”?"
    }
  }
}

extension RecordFix {
  var words: String {
    switch self {
    case .rename(let old, let new): "renamed “\(old)” to “\(new)”"
    case .set(let member, let value): "“\(member)” is now \(value.compactText)"
    case .removeComma: "removed a comma"
    case .addComma: "added a comma"
    }
  }
}
