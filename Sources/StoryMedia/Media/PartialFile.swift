import JSONText
import StoryAPI
import StoryLibrary
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file being downloaded, which writes bytes to disk as they arrive and can be resumed.
///
/// The note next to it, `<path>.json`, has the version of the file and its full length. Without a
/// note or a strong validator, the download starts over.
final class PartialFile: BodySink {
  private struct State {
    var descriptor: Int32 = -1
    var size = 0
    /// The full length, or `nil` if the server does not say.
    var total: Int?
    var validator: String?
    var type: String?
    var failure: (any Error)?
  }

  /// The maximum size of a file: 1 GiB.
  static let limit = 1 << 30

  let path: ConfinedPath
  private let notePath: ConfinedPath
  private let state = Mutex(State())
  private let progress: @Sendable (_ size: Int, _ total: Int?) -> Void

  init(
    _ path: ConfinedPath, progress: @escaping @Sendable (_ size: Int, _ total: Int?) -> Void
  ) throws(FileError) {
    self.path = path
    notePath = Path.join(Path.parent(path), Path.name(path) + ".json")
    self.progress = progress
    let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT)
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let note = (try? FileSystem.read(notePath, limit: 1 << 16))
      .flatMap { try? JSONValue(parsing: $0) }
    let total = note?["total"]?.integer
    state.withLock { state in
      state.descriptor = descriptor
      state.total = total
      state.type = note?["type"]?.string
      // A damaged note cannot be trusted.
      let isSound = total.map { (size...max(size, Self.limit)).contains($0) } ?? true
      state.validator = isSound ? note?["validator"]?.string : nil
      if !isSound { state.total = nil }
      state.size = state.validator == nil ? 0 : max(size, 0)
    }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// The range to request, or `nil` for the whole file.
  var rest: MediaRest? {
    state.withLock { state in
      guard state.size > 0, let validator = state.validator else { return nil }
      return MediaRest(offset: state.size, validator: validator)
    }
  }

  var size: Int { state.withLock { $0.size } }

  var type: String? { state.withLock { $0.type } }

  /// Returns and clears the reason that the bytes of a response were rejected, a `FileError` or a
  /// `MediaFailure`, or `nil` if they were not.
  func takeFailure() -> (any Error)? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Whether all bytes are present, provided that the server announced a length.
  var isWhole: Bool { state.withLock { state in state.total.map { $0 == state.size } ?? true } }

  func forget() { state.withLock { state in _ = Self.reset(&state) } }

  func finish() throws(FileError) {
    try FileSystem.remove(notePath)
    let failure = state.withLock { state -> FileError? in
      defer { state.descriptor = -1 }
      guard state.descriptor >= 0 else { return nil }
      defer { close(state.descriptor) }
      return fsync(state.descriptor) == 0
        ? nil : FileError(.flush, path: path.text, code: errno)
    }
    if let failure { throw failure }
  }

  func discard() {
    try? FileSystem.remove(path)
    try? FileSystem.remove(notePath)
  }

  // MARK: Response

  func begin(_ head: HTTPResponse) -> Bool {
    guard head.status == 200 || head.status == 206 else { return false }
    let note = state.withLock { state -> JSONValue? in
      let length = head.headers["Content-Length"].flatMap { Int($0) }
      if head.status == 206 {
        // The bytes must be the missing ones of the same file.
        guard let range = Self.range(head), range.start == state.size else {
          state.failure = MediaFailure.wrongAnswer("other bytes than were asked for")
          return nil
        }
        // A server may ignore `If-Range` (RFC 9110, section 15.3.7.3).
        if let own = state.validator, let now = Self.validator(head.headers), now != own {
          state.failure = MediaFailure.wrongAnswer("a part of another version of the file")
          return nil
        }
        // An enormous length must not overflow; it is too large in any case.
        state.total =
          range.total ?? length.map { $0 > Self.limit ? $0 : range.start + $0 }
      } else {
        guard Self.reset(&state) else {
          state.failure = FileError(.write, path: path.text, code: errno)
          return nil
        }
        state.total = length
      }
      state.type = head.headers["Content-Type"] ?? state.type
      state.validator = Self.validator(head.headers) ?? (head.status == 206 ? state.validator : nil)
      if let total = state.total, total > Self.limit {
        state.failure = MediaFailure.tooLarge(limit: Self.limit)
      }
      guard let validator = state.validator else { return nil }
      var note: JSONObject = ["validator": .string(validator)]
      if let total = state.total { note["total"] = .number(total) }
      if let type = state.type { note["type"] = .string(type) }
      return .object(note)
    }
    if let note {
      // An optimization for the next start; without it, the download starts over.
      _ = try? AtomicFile.writePrivate(note.fileBytes(), to: notePath)
    }
    return true
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (isTaken, size, total) = state.withLock { state -> (Bool, Int, Int?) in
      guard state.failure == nil, state.descriptor >= 0 else { return (false, 0, nil) }
      guard state.size + bytes.count <= state.total ?? Self.limit else {
        state.failure = MediaFailure.wrongAnswer("more bytes than it said")
        return (false, 0, nil)
      }
      let code = FileSystem.writeAll(bytes, to: state.descriptor, at: state.size)
      guard code == 0 else {
        state.failure = FileError(.write, path: path.text, code: code)
        return (false, 0, nil)
      }
      state.size += bytes.count
      return (true, state.size, state.total)
    }
    if isTaken { progress(size, total) }
    return isTaken
  }

  private static func reset(_ state: inout State) -> Bool {
    state.size = 0
    state.total = nil
    state.validator = nil
    return ftruncate(state.descriptor, 0) == 0
  }

  /// Returns the validator for `If-Range`: a strong entity tag or the date (RFC 9110, section
  /// 13.1.5).
  private static func validator(_ headers: HTTPHeaders) -> String? {
    if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    return headers["Last-Modified"]
  }

  /// Parses `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4); the length may be `*`.
  private static func range(_ head: HTTPResponse) -> (start: Int, total: Int?)? {
    guard let text = head.headers["Content-Range"], text.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ Int($0) })
    else { return nil }
    guard parts[1] != "*" else { return (start, nil) }
    return Int(parts[1]).map { (start, $0) }
  }
}
