import JSONText
public import StoryLibrary

/// The records that failed at their last sync: `.stories/failures.json`, local to this machine.
public struct FailureStore: Sendable {
  /// The reason why a record's last sync failed.
  public struct Failure: Sendable, Hashable {
    /// The failure, in words for people.
    public var message: String
    /// The advice, or `nil` if the message is enough.
    public var hint: String?

    /// Creates a failure.
    public init(message: String, hint: String? = nil) {
      self.message = message
      self.hint = hint
    }
  }

  /// The failures by record.
  public private(set) var failures: [RecordRef: Failure] = [:]
  private let path: ConfinedPath
  /// The failures in the file.
  private var saved: [RecordRef: Failure] = [:]

  /// Reads the failures of a library; an unreadable file counts as empty.
  public init(_ library: Library) {
    path = library.statePath("failures.json")
    guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes) else {
      return
    }
    for member in value.object?.members ?? [] {
      if let ref = RecordRef(member.key), let message = member.value["message"]?.string {
        failures[ref] = Failure(message: message, hint: member.value["hint"]?.string)
      }
    }
    saved = failures
  }

  /// The reason why the record's last sync failed, or `nil` if it did not.
  public subscript(ref: RecordRef) -> Failure? {
    get { failures[ref] }
    set { failures[ref] = newValue }
  }

  /// Writes the failures if they changed, and removes the file if none is left.
  ///
  /// - Throws: `FileError`; the old file stays.
  public func save() throws {
    guard failures != saved else { return }
    guard !failures.isEmpty else { return try FileSystem.remove(path) }
    var object = JSONObject()
    for (ref, failure) in failures.sorted(by: { $0.key < $1.key }) {
      var value: JSONObject = ["message": .string(failure.message)]
      if let hint = failure.hint { value["hint"] = .string(hint) }
      object[ref.description] = .object(value)
    }
    try AtomicFile.writePrivate(JSONValue.object(object).fileBytes(), to: path)
  }
}
