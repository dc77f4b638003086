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
