public import JSONText

/// A problem with a file: what is wrong, and where.
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
    /// Git has not merged the file, which one side does not have.
    case unmerged
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
    /// A record that nobody edited, beside a sidecar of another version that came from elsewhere.
    case outdatedRecord = "outdated-record"
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

  /// The severity.
  public var severity: Severity
  /// What is wrong.
  public var what: What
  /// The file, relative to the library's root.
  public var file: String
  /// The position in the file, or `nil` if the problem concerns the whole file.
  public var position: TextPosition?
  /// The repair that is safe to make automatically, or `nil`.
  public var fix: RecordFix?

  /// Creates a problem.
  public init(
    _ what: What, severity: Severity = .error, file: String, position: TextPosition? = nil,
    fix: RecordFix? = nil
  ) {
    self.severity = severity
    self.what = what
    self.file = file
    self.position = position
    self.fix = fix
  }

  /// The text `file:line:column: code`, with the position if known. The words for people are made
  /// by the program.
  public var description: String {
    let place = position.map { ":\($0)" } ?? ""
    return "\(file)\(place): \(code.rawValue)"
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
      self.init(.empty(isJSON: true), file: file, position: .start)
    } else if let line = MarkedVersions(bytes)?.line ?? Self.conflictMarker(in: bytes) {
      self.init(
        Self.markers(in: file, bytes), file: file, position: TextPosition(line: line, column: 1))
    } else {
      self.init(
        .syntax(error, Excerpt(error.offset, in: bytes)), file: file, position: error.position,
        fix: error.reason == .trailingComma
          ? .removeComma(offset: error.offset) : Self.missingComma(error, in: bytes))
    }
  }

  /// Returns what git's conflict markers are about. Those in a sidecar are not for editing.
  private static func markers(in file: String, _ bytes: [UInt8]) -> What {
    let versions = MarkedVersions(bytes).map { [$0.ours, $0.theirs] } ?? []
    guard case .sidecar(let ref)? = TrackedPath(file) else {
      return .conflictMarkers(labels: RecordRef(file) == nil ? [] : versions.map(\.label))
    }
    guard Sidecar.writtenIDs(in: bytes).count > 1 else { return .markedSidecar }
    return .twoSidecars(
      areReadable: !versions.isEmpty
        && versions.allSatisfy { (try? Sidecar(bytes: $0.bytes, ref: ref)) != nil })
  }

  /// Creates the problem of a file that cannot be read.
  public init(_ error: FileError, file: String) {
    self.init(error.isNotAFile ? .notAFile(error) : .unreadable(error), file: file)
  }

  static func missingComma(_ error: JSONSyntaxError, in bytes: [UInt8]) -> RecordFix? {
    guard case .expected(let expectation, _) = error.reason,
      expectation == .commaOrBrace || expectation == .commaOrBracket,
      bytes[error.offset] == UInt8(ascii: "\"")
    else { return nil }
    let end = Excerpt.valueEnd(before: error.offset, bytes)
    guard bytes[end..<error.offset].contains(0x0A) else { return nil }
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: bytes[..<end] + [UInt8(ascii: ",")] + bytes[end...])
    } catch {
      // In an object, a string without a colon is the next line of a text, not a member.
      switch error.reason {
      case .expected(.colon, _), .unexpectedEnd(.colon): return nil
      default: break
      }
    }
    return .addComma(offset: end)
  }

  /// Returns whether a text has only white space after an optional byte order mark.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// Returns the line number, from 1, of git's first conflict marker.
  private static func conflictMarker(in bytes: [UInt8]) -> Int? {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).firstIndex { line in
      MarkedVersions.marker(line).map { $0.size == 7 && "<>".utf8.contains($0.sign) } ?? false
    }.map { $0 + 1 }
  }
}
