import JSONText
import StoryAPI
import StoryLibrary

/// A file to import, or standard input.
struct ImportSource: Sendable {
  var shown: String
  var bytes: [UInt8]
  /// The name of the record for the path, a path in the kind's folder; for standard input the one
  /// that was given, or `nil`.
  var name: String?
  var title: String?

  /// Whether this is JSON: by the extension, or for standard input without a name by the first
  /// character.
  var isJSON: Bool {
    if name != nil { return shown.lowercased().hasSuffix(".json") }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  static func standardInput(_ context: Context, name: String? = nil) -> ImportSource {
    ImportSource(shown: "<stdin>", bytes: context.input.readAll(), name: name)
  }
}

extension ImportSource {
  /// Reads a file.
  ///
  /// - Parameter root: The folder that names are relative to, or `nil` for the file's own.
  /// - Throws: `FileError`; `CommandError.badName`.
  init(_ path: String, below root: String?, in context: Context) throws {
    shown = context.shown(path)
    let stem = Self.stem(path)
    let plain = stem.map { $0 == "-" || $0 == "_" ? " " : $0 }
    title =
      stem.contains(" ") ? stem : String(plain.prefix(1)).uppercased() + String(plain.dropFirst())
    let exported = Self.exportFolder(of: path)
    if let root = exported ?? root, let inner = Path.relative(Path.parent(path), to: root) {
      let exact = Path.join(inner, stem)
      name = RecordRef.isWellFormed(exact) ? exact : Path.join(inner, Self.slug(stem))
    } else {
      name = Self.slug(stem)
    }
    bytes = try FileSystem.read(path)
  }

  private static func slug(_ stem: String) -> String { Slug.make(stem, fallback: "story") }

  private static func stem(_ path: String) -> String {
    let name = Path.name(path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns the nearest folder above a file that `export markdown` wrote, or `nil`.
  private static func exportFolder(of path: String) -> String? {
    var folder = Path.parent(path)
    while folder != "/", !folder.isEmpty {
      if FileSystem.exists(Path.join(folder, MarkdownFolder.listName)) { return folder }
      folder = Path.parent(folder)
    }
    return nil
  }

  /// Returns the text and JSON files below a folder in byte order, without hidden ones and links.
  static func files(below folder: String) throws(FileError) -> [String] {
    var files: [String] = []
    for entry in try FileSystem.list(folder) where !entry.name.hasPrefix(".") {
      let path = Path.join(folder, entry.name)
      if entry.type == .folder {
        files += try self.files(below: path)
      } else if entry.type == .regular, ["md", "markdown", "txt"].contains(Self.type(entry.name)) {
        files.append(path)
      }
    }
    return files
  }

  private static func type(_ name: String) -> String {
    name.split(separator: ".").last.map { $0.lowercased() } ?? ""
  }
}

/// A record that a file contains, before it is written.
struct IncomingRecord: Sendable {
  var ref: RecordRef
  /// The fields by their keys in a record file, as `Schema.apply` takes them.
  var values: JSONObject
  /// Values for fields that the file does not state, if the record lacks them.
  var defaults = JSONObject()
  var source: ImportSource
  /// The parsed source if it is JSON, which can have many records.
  var document: JSONDocument?
  /// The offset of the record in its file, and those of its values by their keys.
  var offset = 0
  var offsets: [String: Int] = [:]
  /// The server's id, by which other records of the command reference it.
  var id: String?

  func position(of key: String?) -> TextPosition {
    var place = offset
    if let key, let index = ref.kind.schema.fieldIndex(key: key) {
      let keys = ref.kind.schema.fields[index].keys
      place = keys.compactMap { offsets[$0] }.first ?? offset
    }
    return document?.position(at: place) ?? TextPosition(offset: place, in: source.bytes)
  }

  /// Returns the errors of the record as it would be written, at their places in the source.
  ///
  /// An error of a member that the source does not state keeps the record's path, without a position.
  /// - Parameter isStated: Whether the source states a member.
  /// - Throws: `Problem` if the members are no record.
  func errors(
    of members: JSONObject, references: ReferenceTable, sidecar: Sidecar? = nil,
    isStated: (String) -> Bool
  ) throws(Problem) -> [Problem] {
    let file = try RecordFile(ref: ref, bytes: JSONValue.object(members).fileBytes())
    let problems = file.problems(references: references, sidecar: sidecar, mayBeDraft: true)
    let root = file.document.root
    return problems.filter { $0.severity == .error }.map { problem in
      var problem = problem
      let member = root.members.last { member in
        guard let position = problem.position, position != root.position else { return false }
        return member.key.position <= position
      }
      if let member, !isStated(member.name) {
        problem.position = nil
        return problem
      }
      problem.file = source.shown
      problem.position = position(of: member?.name)
      if case .missing(let field, let isNull, _) = problem.what, !source.isJSON {
        problem.what = .missing(field, isNull: isNull, in: .text)
      }
      return problem
    }
  }
}
