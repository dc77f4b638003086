public import JSONText

/// A problem with a file: its position, a message and a hint.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The severity of a problem.
  public enum Severity: String, Sendable {
    /// The record cannot be pushed; others can.
    case error
    /// Worth a look, but nothing is blocked.
    case warning
  }

  /// The type of a problem, as a word that scripts can rely on.
  public enum Code: String, Sendable, CaseIterable {
    /// The text is not JSON.
    case syntax
    /// The file has no content.
    case empty
    /// The file contains git's conflict markers.
    case conflictMarkers = "conflict-markers"
    /// The file cannot be read.
    case unreadable
    /// A folder, a link or a device has the name of a record.
    case notAFile = "not-a-file"
    /// The text is JSON but not an object.
    case notAnObject = "not-an-object"
    /// An unknown member.
    case unknownKey = "unknown-key"
    /// A required member is missing.
    case missing
    /// A value of the wrong type.
    case type
    /// A number, or a number of elements, that is out of range.
    case range
    /// A string that is too short or too long.
    case length
    /// A value that is not one of the allowed ones.
    case choice
    /// A reference to a record that is not in this library.
    case reference
    /// Two members for the same field.
    case ambiguous
    /// An invalid sidecar.
    case sidecar
    /// A record that is missing without evidence that the user removed it.
    case missingRecord = "missing-record"
    /// Two records with the same id.
    case duplicateID = "duplicate-id"
    /// Two names that refer to the same file on some systems.
    case nameCollision = "name-collision"
    /// A name that records cannot have.
    case name
    /// A folder that is another library.
    case otherLibrary = "other-library"
    /// A file written by a newer version of this program.
    case newerVersion = "newer-version"
    /// A record in the folder of another kind, or in none.
    case wrongFolder = "wrong-folder"
    /// Two new records with the same content.
    case sameContent = "same-content"
    /// The server refused the record.
    case refused
  }

  /// The remedy for a problem.
  public enum Hint: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// Text about what to change in files.
    case text(String)
    /// Write the record of an empty file again, or bring back an older version.
    case emptyFile(String)
    /// A sync fixes it.
    case sync
    /// A sync updates the file with a record's new name.
    case syncRenames
    /// A pull restores a record, which can then be removed.
    case pullThenRemove(RecordRef)
    /// A pull restores a record; removing it deletes it on the server.
    case pullOrRemove(RecordRef)
    /// Remove all sidecars of an id except one, or all of them and pull.
    case keepOneSidecar
    /// Resolve a record, given by its path without `.json`.
    case resolve(String)
    /// Resolve a record whose file has git's conflict markers.
    case resolveMarkers(RecordRef)
    /// Request the delete of a record, or push first.
    case stateDelete(RecordRef)
    /// Create a record of this kind, or reference another one.
    case create(EntityKind)
    /// Restore an earlier version of `library.json`, or create another library.
    case createLibrary
    /// Use the folder as a library of its own, or move it.
    case openLibrary(String)

    /// Creates a hint about what to change in files.
    public init(stringLiteral value: String) { self = .text(value) }
  }

  /// The severity.
  public var severity: Severity
  /// The type of problem, for scripts.
  public var code: Code
  /// The file, relative to the library's root.
  public var file: String
  /// The position in the file, or `nil` if the problem concerns the whole file.
  public var position: TextPosition?
  /// The message for people, without the position.
  public var message: String
  /// The remedy, or `nil` if the message is enough.
  public var hint: Hint?
  /// The repair that is safe to make automatically, or `nil`.
  public var fix: RecordFix?

  /// Creates a problem.
  public init(
    _ code: Code, severity: Severity = .error, file: String, position: TextPosition? = nil,
    message: String, hint: Hint? = nil, fix: RecordFix? = nil
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.position = position
    self.message = message
    self.hint = hint
    self.fix = fix
  }

  /// The text `file:line:column: message`, with the position if known.
  public var description: String {
    let place = position.map { ":\($0)" } ?? ""
    return "\(file)\(place): \(message)"
  }
}

/// A repair of a record that is safe to make automatically.
public enum RecordFix: Sendable, Hashable {
  /// Rename a member to a name that is not in use.
  case rename(member: String, to: String)
  /// Replace the value of a member with one that means the same.
  case set(member: String, JSONValue)
  /// Remove a trailing comma, at this byte offset.
  case removeComma(offset: Int)
  /// Add a missing comma, at this byte offset.
  case addComma(offset: Int)
}

extension JSONDocument {
  /// Parses the text of a file.
  package init(parsing bytes: [UInt8], file: String) throws(Problem) {
    do throws(JSONSyntaxError) {
      try self.init(parsing: bytes)
    } catch {
      throw Problem(error, file: file, bytes: bytes)
    }
  }
}

extension Problem {
  /// Creates the problem of a file that cannot be parsed.
  public init(_ error: JSONSyntaxError, file: String, bytes: [UInt8]) {
    if Self.isBlank(bytes) {
      self.init(
        .empty, file: file, position: TextPosition(line: 1, column: 1),
        message: "the file is empty", hint: .emptyFile(file))
    } else if let line = MarkedVersions(bytes)?.line ?? Self.conflictMarker(in: bytes) {
      let (message, hint) = Self.markers(in: file, bytes)
      self.init(
        .conflictMarkers, file: file, position: TextPosition(line: line, column: 1),
        message: message, hint: hint)
    } else {
      self.init(
        .syntax, file: file, position: error.position, message: error.message,
        hint: Self.hint(for: error, in: bytes).map { .text($0) },
        fix: error.reason == .trailingComma
          ? .removeComma(offset: error.offset) : Self.missingComma(error, in: bytes))
    }
  }

  /// Returns the message and hint for conflict markers. Those in a sidecar are not for editing.
  private static func markers(in file: String, _ bytes: [UInt8]) -> (String, hint: Hint) {
    let folder = Path.parent(file)
    guard Path.name(folder) == ".sync" else {
      if let marked = MarkedVersions(bytes), let ref = RecordRef(file) {
        let labels = [marked.ours.label, marked.theirs.label]
        let versions =
          labels.contains("") ? "" : ": two versions, “\(labels[0])” and “\(labels[1])”"
        return ("this file contains git's conflict markers" + versions, .resolveMarkers(ref))
      }
      return (
        "this file contains git's conflict markers",
        "resolve the conflict in an editor and remove the lines with <<<<<<<, ======= and >>>>>>>"
      )
    }
    guard Sidecar.writtenIDs(in: bytes).count > 1 else {
      return ("this file contains git's conflict markers", .sync)
    }
    let message = "git left two sidecars in this file, which belong to different records"
    let record = Path.join(Path.parent(folder), String(Path.name(file).dropLast(5)))
    guard let marked = MarkedVersions(bytes), let ref = RecordRef(record + ".json"),
      [marked.ours, marked.theirs].allSatisfy({ (try? Sidecar(bytes: $0.bytes, ref: ref)) != nil })
    else { return (message, takingOneVersion(of: file)) }
    return (message, .resolve(record))
  }

  /// The hint for a file whose versions cannot be told apart.
  package static func takingOneVersion(of file: String) -> Hint {
    """
    `git checkout --ours -- \(file)` or `--theirs` takes one of the two versions; after the merge \
    is over, `git checkout COMMIT -- \(file)`
    """
  }

  /// Creates the problem of a file with an invalid record name.
  public init(_ fault: RecordRef.NameFault, file: String) {
    switch fault {
    case .controlCharacter:
      self.init(
        .name, file: file, message: "the name contains a control character",
        hint: "rename the file; its sidecar follows at the next sync")
    case .tooLong(let bytes):
      self.init(
        .name, file: file,
        message: "the name is too long: \(bytes) bytes, and at most \(RecordRef.longestPart) are"
          + " allowed", hint: "give the file or folder a shorter name")
    }
  }

  /// Creates the problem of a file that cannot be read.
  public init(_ error: FileError, file: String) {
    if error.isNotAFile {
      self.init(
        .notAFile, file: file, message: "this is \(error.obstacle), not a file",
        hint: "records are plain files; links are not followed")
    } else {
      self.init(.unreadable, file: file, message: "cannot be read: \(error.reason)")
    }
  }

  /// Returns whether a text has only white space after an optional byte order mark.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// Returns the line number, from 1, of git's first conflict marker.
  static func conflictMarker(in bytes: [UInt8]) -> Int? {
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    where isConflictMarker(line) {
      return number + 1
    }
    return nil
  }

  /// Returns whether a line is seven signs, followed by the name of a side unless git omits it.
  private static func isConflictMarker(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "<<<<<<<".utf8) || line.starts(with: ">>>>>>>".utf8) else {
      return false
    }
    let rest = line.dropFirst(7).first
    return rest == nil || rest == 0x20 || rest == 0x0D
  }
}
