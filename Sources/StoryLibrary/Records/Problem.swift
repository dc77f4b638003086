public import JSONText

/// Something wrong with one file, with its place and what to do about it.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The record cannot be pushed; the others go on.
    case error
    /// Worth a look; nothing stops.
    case warning
  }

  /// What is wrong, in one word that scripts can rely on.
  public enum Code: String, Sendable, CaseIterable {
    /// The text is not JSON.
    case syntax
    /// The file has no content.
    case empty
    /// Git's conflict markers stand in the file.
    case conflictMarkers = "conflict-markers"
    /// The file cannot be read.
    case unreadable
    /// A folder, a link or a device has the name of a record.
    case notAFile = "not-a-file"
    /// The text is JSON but no object.
    case notAnObject = "not-an-object"
    /// A member that the kind does not know.
    case unknownKey = "unknown-key"
    /// A required member is missing.
    case missing
    /// A value of the wrong type.
    case type
    /// A number or a number of elements outside the range.
    case range
    /// A text that is too short or too long.
    case length
    /// A value that is not one of those allowed.
    case choice
    /// A name of a record that is not in this library.
    case reference
    /// Two members that say the same thing.
    case ambiguous
    /// A sidecar that cannot be understood.
    case sidecar
    /// A record that is not here, and that nobody removed as far as anybody can tell.
    case missingRecord = "missing-record"
    /// Two records with one id.
    case duplicateID = "duplicate-id"
    /// Two names that are one file on some systems.
    case nameCollision = "name-collision"
    /// A name that no record may have.
    case name
    /// A folder that is a library of its own.
    case otherLibrary = "other-library"
    /// A file that was made by a newer version of this program.
    case newerVersion = "newer-version"
    /// The server refused the record.
    case refused
  }

  /// What to do about a problem.
  public enum Hint: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// What to change in files.
    case text(String)
    /// A sync settles it.
    case sync
    /// A sync writes a record's new name into the file.
    case syncRenames
    /// A pull brings a record back, which can be removed then.
    case pullThenRemove(RecordRef)
    /// A pull writes a record again, and removing it deletes it on the server.
    case pullOrRemove(RecordRef)
    /// All sidecars of an id but one are removed, or all of them before a pull.
    case keepOneSidecar
    /// A person decides about a record, given by its path without `.json`.
    case resolve(String)
    /// A person says that a record shall be deleted, or pushes first.
    case stateDelete(RecordRef)
    /// A record of this kind is created, or another one named.
    case create(EntityKind)
    /// An earlier version of `library.json` is taken, or another library created.
    case createLibrary
    /// The folder is worked on as a library of its own, or moved away.
    case openLibrary(String)

    /// What to change in files.
    public init(stringLiteral value: String) { self = .text(value) }
  }

  /// How bad it is.
  public var severity: Severity
  /// What is wrong, for scripts.
  public var code: Code
  /// The file, relative to the library's root.
  public var file: String
  /// The line and column in the file; `nil` if the problem concerns the whole file.
  public var position: TextPosition?
  /// What is wrong, for people, without the place.
  public var message: String
  /// What to do about it; `nil` where the message says it.
  public var hint: Hint?

  /// A problem from its parts.
  public init(
    _ code: Code, severity: Severity = .error, file: String, position: TextPosition? = nil,
    message: String, hint: Hint? = nil
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.position = position
    self.message = message
    self.hint = hint
  }

  /// `file:line:column: message`, with what is known of the place.
  public var description: String {
    let place = position.map { ":\($0)" } ?? ""
    return "\(file)\(place): \(message)"
  }
}

extension Problem {
  /// The problem of a file that does not parse.
  init(_ error: JSONSyntaxError, file: String, bytes: [UInt8]) {
    if Self.isBlank(bytes) {
      self.init(
        .empty, file: file, position: TextPosition(line: 1, column: 1),
        message: "the file is empty",
        hint:
          "write a record, or remove the file (`git checkout -- \(file)` brings back an older one)")
    } else if let line = Self.conflictMarker(in: bytes) {
      let (message, hint) = Self.markers(in: file, bytes)
      self.init(
        .conflictMarkers, file: file, position: TextPosition(line: line, column: 1),
        message: message, hint: hint)
    } else {
      self.init(
        .syntax, file: file, position: error.position, message: error.message,
        hint: Self.hint(for: error, in: bytes).map { .text($0) })
    }
  }

  /// What to say of git's markers in a file: those in a sidecar are nothing to edit.
  private static func markers(in file: String, _ bytes: [UInt8]) -> (String, hint: Hint) {
    let folder = Path.parent(file)
    guard Path.name(folder) == ".sync" else {
      return (
        "git's conflict markers stand in this file",
        "settle the conflict in an editor and remove the lines with <<<<<<<, ======= and >>>>>>>"
      )
    }
    guard Sidecar.writtenIDs(in: bytes).count > 1 else {
      return ("git's conflict markers stand in this file", .sync)
    }
    let record = Path.join(Path.parent(folder), String(Path.name(file).dropLast(5)))
    return (
      "git left two sidecars in this file, which speak of two records",
      .resolve(record)
    )
  }

  /// The problem of a file whose name no record may have.
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

  /// The problem of a file that the system does not let us read.
  public init(_ error: FileError, file: String) {
    if error.isNotAFile {
      self.init(
        .notAFile, file: file, message: "this is \(error.obstacle), not a file",
        hint: "records are plain files; links are not followed")
    } else {
      self.init(.unreadable, file: file, message: "cannot be read: \(error.reason)")
    }
  }

  /// Whether nothing but white space, and maybe a byte order mark, stands in a text.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// The line, from 1, of git's first conflict marker.
  static func conflictMarker(in bytes: [UInt8]) -> Int? {
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    where isConflictMarker(line) {
      return number + 1
    }
    return nil
  }

  /// Seven signs and, unless git was told to leave it out, the name of a side.
  private static func isConflictMarker(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "<<<<<<<".utf8) || line.starts(with: ">>>>>>>".utf8) else {
      return false
    }
    let rest = line.dropFirst(7).first
    return rest == nil || rest == 0x20 || rest == 0x0D
  }
}
