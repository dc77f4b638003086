import JSONText

extension ScanEntry {
  /// The record that the sidecar's name belongs to: the record itself, or its name before a rename.
  package var place: RecordRef { renamedFrom ?? ref }
}

extension Library {
  /// Returns the library for reading many files at once: the folders that it opens stay open, as to open
  /// them takes longer than to open the file. One that is replaced meanwhile stays in use.
  package func keepingFoldersOpen() -> Library {
    var library = self
    library.folders = OpenFolders()
    return library
  }

  /// Reads a file of the library; the problem names it.
  package func read(_ path: String) throws(Problem) -> [UInt8] {
    let place = self.path(path)
    do throws(FileError) {
      let file = if let folders { try folders.file(place) } else { try place.located() }
      return try FileSystem.read(file, limit: JSONDocument.maximumSize)
    } catch {
      throw Problem(error, file: path)
    }
  }

  package func file(_ ref: RecordRef) throws(Problem) -> RecordFile {
    try RecordFile(ref: ref, bytes: read(ref.path))
  }

  /// Returns a sidecar as it counts now; see ``Sidecar/besideRecord``.
  package func sidecar(at place: RecordRef) throws(Problem) -> Sidecar {
    let sidecar = try Sidecar(bytes: read(place.sidecarPath), ref: place)
    guard sidecar.conflict == .deletedLocally, FileSystem.exists(path(place.path)) else {
      return sidecar
    }
    return sidecar.besideRecord
  }

  /// Returns the sidecar of a scanned record, which may still have the record's former name.
  package func sidecar(of entry: ScanEntry) throws(Problem) -> Sidecar {
    let sidecar = try sidecar(at: entry.place)
    return entry.hasRecord ? sidecar.besideRecord : sidecar
  }

  /// Returns the problem of a name under which no record can be written, or `nil`: it is invalid, or in
  /// a folder that is a library of its own.
  ///
  /// - Parameter isNew: whether the record does not have the name yet.
  package func nameProblem(of ref: RecordRef, isNew: Bool = true) -> Problem? {
    if let problem = ref.nameProblem { return problem }
    let last = Path.name(ref.name)
    if isNew, Path.withoutJSON(last) != nil {
      return Problem(.name(.ending(last)), file: ref.path)
    }
    var folder = Path.parent(ref.path)
    while folder != ref.kind.folder {
      if isOtherLibrary(folder, in: ref.kind) { return Problem(.otherLibrary, file: folder) }
      folder = Path.parent(folder)
    }
    return nil
  }

  /// Returns whether a folder of a kind is another library: it has a `library.json` that is not a
  /// record.
  func isOtherLibrary(_ folder: String, in kind: EntityKind) -> Bool {
    let file = path(Path.join(folder, LibraryConfiguration.fileName))
    guard FileSystem.exists(file) else { return false }
    guard let bytes = try? FileSystem.read(file, limit: JSONDocument.maximumSize),
      let root = try? JSONDocument(parsing: bytes).root
    else { return !FileSystem.exists(Path.join(Path.parent(file), ".sync/library.json")) }
    return root["version"] != nil && root[kind.schema.titleKey] == nil
  }

  /// Removes a record's folders, up to its kind's folder, if they are empty.
  package func removeEmptyFolders(of ref: RecordRef) {
    FileSystem.removeFolderIfEmpty(path(Path.parent(ref.sidecarPath)))
    FileSystem.removeEmptyFolders(above: path(ref.path), below: ref.kind.folder)
  }
}

extension Sidecar {
  /// Creates the sidecar of a record as the server returned it, with the local names of references.
  package init(_ record: RemoteRecord, references: ReferenceTable) {
    self.init(record, refs: RecordFile.refs(of: record.fields, references: references))
  }

  /// The fields in conflict, in schema order.
  package var conflictingFields: [Field] {
    let keys = Set(conflictingKeys)
    return base.kind.schema.fields.filter { keys.contains($0.wireKey) }
  }
}

extension WriteBatch {
  /// Adds changes of a record's file and of the sidecar with the name of `place`, by default the
  /// record's own.
  package mutating func add(
    _ ref: RecordRef, in library: Library, record: Change? = nil, sidecar: Change? = nil,
    at place: RecordRef? = nil, mode: UInt32? = nil
  ) {
    add(
      record: record.map { (library.path(ref.path), $0) },
      sidecar: sidecar.map { (library.path((place ?? ref).sidecarPath), $0) }, mode: mode)
  }
}

extension WriteBatch.Change {
  /// Replaces a sidecar, or removes it if there is no new text.
  package static func sidecar(_ bytes: [UInt8]?) -> Self {
    bytes.map { .write($0, .anything) } ?? .removeAnything
  }
}

extension WriteBatch.Result {
  /// Returns `false` if a file was saved at the same time; throws the system's refusal.
  package func isDone() throws(FileError) -> Bool {
    if case .failed(let error) = self { throw error }
    return self == .done
  }
}
