import JSONText

/// Finds files that look like records, but whose names or folders keep them from being read.
struct StrayFiles {
  let library: Library

  private static let largest = 1 << 20

  /// Returns the problem of a file in a kind's folder whose name is not a record's, or `nil` if it
  /// does not look like one: `nova.JSON`, `nova.json.txt`, `nova.jsonc`.
  func problem(ofFile name: String, in folder: String) -> Problem? {
    guard let stem = Self.stem(of: name), name != stem + ".json" else { return nil }
    let path = Path.join(folder, name)
    return Problem(
      .name, severity: .warning, file: path,
      message: "this is not a record, because its name does not end in .json",
      hint: hint(
        "rename it to \(stem).json", for: path, target: Path.join(folder, stem + ".json")))
  }

  /// Returns what to do about a file, which never replaces a record.
  ///
  /// - Parameters:
  ///   - advice: What to do if no record has the target's name.
  ///   - target: The path that the file would have as a record.
  private func hint(_ advice: String, for path: String, target: String) -> Problem.Hint {
    if FileSystem.exists(library.path(target)) {
      // On a disk that ignores case, `nova.JSON` is in its own way.
      guard !isOneFile(path, target) else { return .text(advice) }
      return .text("\(target) exists too: compare them, then give this one another name")
    }
    let sidecar = Path.join(Path.parent(target), ".sync/" + Path.name(target))
    guard FileSystem.exists(library.path(sidecar)) else { return .text(advice) }
    return .text("\(target) is missing: \(advice) only if it is that record")
  }

  private func isOneFile(_ left: String, _ right: String) -> Bool {
    (try? FileSystem.isOneFile(library.path(left), library.path(right))) ?? false
  }

  /// Returns a name without an ending that resembles `.json`, or `nil`.
  private static func stem(of name: String) -> String? {
    guard !name.hasPrefix(".") else { return nil }
    let lower = name.lowercased()
    for ending in [".json.txt", ".json", ".jsonc", ".json5"] where lower.hasSuffix(ending) {
      return name.count > ending.count ? String(name.dropLast(ending.count)) : nil
    }
    return nil
  }

  /// The problems of records in the library's root and in folders such as `hero/` and `Heroes/`.
  var problems: [Problem] {
    guard let entries = try? FileSystem.list(library.path("")) else { return [] }
    var found: [Problem] = []
    for entry in entries {
      if entry.type == .regular, entry.name != LibraryConfiguration.fileName {
        if let problem = problem(of: entry.name) { found.append(problem) }
      } else if entry.type == .folder, isMisnamed(entry.name) {
        let files = (try? FileSystem.list(library.path(entry.name))) ?? []
        found += files.filter { $0.type == .regular }
          .compactMap { problem(of: Path.join(entry.name, $0.name)) }
      }
    }
    return found.sorted { $0.file < $1.file }
  }

  /// Returns whether a folder's name resembles that of a kind's folder: `hero`, `Story`, `Heroes`.
  private func isMisnamed(_ name: String) -> Bool {
    let lower = name.lowercased()
    return EntityKind.writable.contains { kind in
      // On a disk that ignores case, `Heroes` is the kind's folder.
      if lower == kind.folder {
        return name != kind.folder && !isOneFile(name, kind.folder)
      }
      return lower == kind.schema.noun || lower == kind.schema.noun + "s"
    }
  }

  private func problem(of path: String) -> Problem? {
    guard let stem = Self.stem(of: Path.name(path)),
      let bytes = try? FileSystem.read(library.path(path), limit: Self.largest),
      let root = try? JSONDocument(parsing: bytes).root, let kind = EntityKind(likelyForStray: root)
    else { return nil }
    return Problem(
      .wrongFolder, severity: .warning, file: path,
      message: "this looks like \(kind.schema.nounWithArticle), but it is not in \(kind.folder)/",
      hint: hint(
        "move it to \(kind.folder)/", for: path, target: "\(kind.folder)/\(stem).json"))
  }
}

extension Scan {
  /// Returns the problems of new records that have the same content as another one.
  var twinProblems: [Problem] {
    var first: [EntityKind: [ContentDigest: RecordRef]] = [:]
    var found: [Problem] = []
    for entry in entries where entry.state == .pendingCreate {
      guard let digest = entry.digest else { continue }
      guard let other = first[entry.ref.kind]?[digest] else {
        first[entry.ref.kind, default: [:]][digest] = entry.ref
        continue
      }
      found.append(
        Problem(
          .sameContent, severity: .warning, file: entry.ref.path,
          message: "this new \(entry.ref.kind.schema.noun) has the same content as \(other.path)",
          hint: "change or remove one of them: as they are, both are created on the server"))
    }
    return found
  }
}
