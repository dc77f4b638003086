import JSONText

/// Finds files that look like records, but whose names or folders keep them from being read.
struct StrayFiles {
  let library: Library

  private static let largest = 1 << 20

  /// Returns the problem of a file in a kind's folder whose name is not a record's, or `nil` if it
  /// does not look like one: `nova.JSON`, `nova.json.txt`, `nova.jsonc`.
  func problem(ofFile name: String, in folder: String) -> Problem? {
    guard let stem = Self.stem(of: name), name != stem + ".json" else { return nil }
    return problem(nil, Path.join(folder, name), target: Path.join(folder, stem + ".json"))
  }

  /// Returns the problem of a file; moving it to `target` must never replace a record.
  private func problem(_ kind: EntityKind?, _ path: String, target: String) -> Problem {
    let sidecar = Path.join(Path.parent(target), ".sync/" + Path.name(target))
    let state: Problem.Target =
      if FileSystem.exists(library.path(target)) {
        // On a disk that ignores case, `nova.JSON` is in its own way.
        isOneFile(path, target) ? .free : .taken
      } else {
        FileSystem.exists(library.path(sidecar)) ? .missing : .free
      }
    return Problem(.stray(kind, target: target, state), severity: .warning, file: path)
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
    return problem(kind, path, target: "\(kind.folder)/\(stem).json")
  }
}

extension Scan {
  /// Returns the problems of new records that have the same content as another one. Those that only
  /// the server makes are never sent.
  var twinProblems: [Problem] {
    var first: [EntityKind: [ContentDigest: RecordRef]] = [:]
    var found: [Problem] = []
    for entry in entries
    where entry.state == .pendingCreate && !entry.ref.kind.schema.isReadOnly {
      guard let digest = entry.digest else { continue }
      guard let other = first[entry.ref.kind]?[digest] else {
        first[entry.ref.kind, default: [:]][digest] = entry.ref
        continue
      }
      found.append(Problem(.sameContent(other), severity: .warning, file: entry.ref.path))
    }
    return found
  }
}
