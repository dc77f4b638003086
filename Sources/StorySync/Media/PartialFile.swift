import JSONText
import StoryAPI
import StoryLibrary
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is being fetched: takes bytes to disk as they come, and knows where to go on after a
/// break.
///
/// Beside it `<path>.json` says which version of the file the bytes are of and how long the whole
/// is. Without that, or of a version that has no strong validator, fetching begins anew.
final class PartialFile: BodySink {
  /// Why the bytes of an answer were not taken.
  enum Failure: Error, Sendable, Hashable {
    /// The disk refused.
    case file(FileError)
    /// The answer is something else than was asked for.
    case wrongAnswer(String)
    /// The file is larger than any that is fetched.
    case tooLarge(limit: Int)
  }

  private struct State {
    var descriptor: Int32 = -1
    /// The bytes that are there.
    var size = 0
    /// How many the whole file has; `nil` where the server does not say.
    var total: Int?
    var validator: String?
    var type: String?
    var failure: Failure?
  }

  /// The most bytes of one file: 1 GiB.
  static let limit = 1 << 30

  let path: String
  private let state = Mutex(State())
  private let progress: @Sendable (_ size: Int, _ total: Int?) -> Void

  /// Goes on with what lies at `path`, or begins.
  init(
    _ path: String, progress: @escaping @Sendable (_ size: Int, _ total: Int?) -> Void
  ) throws(FileError) {
    self.path = path
    self.progress = progress
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileError(.write, path: path, code: errno) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let note = (try? FileSystem.read(path + ".json")).flatMap { try? JSONValue(parsing: $0) }
    state.withLock { state in
      state.descriptor = descriptor
      state.validator = note?["validator"]?.string
      state.total = note?["total"]?.integer
      state.type = note?["type"]?.string
      state.size = state.validator == nil ? 0 : max(size, 0)
    }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// What to ask the server for; `nil` for the whole file.
  var rest: MediaRest? {
    state.withLock { state in
      guard state.size > 0, let validator = state.validator else { return nil }
      return MediaRest(offset: state.size, validator: validator)
    }
  }

  /// How many bytes are there.
  var size: Int { state.withLock { $0.size } }

  /// The content type of the answer.
  var type: String? { state.withLock { $0.type } }

  /// Why bytes were not taken; `nil` where all were. Asking forgets it.
  func takeFailure() -> Failure? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Whether all bytes are there, as far as the server said how many there are.
  var isWhole: Bool { state.withLock { state in state.total.map { $0 == state.size } ?? true } }

  /// Begins anew.
  func forget() { state.withLock { state in _ = Self.reset(&state) } }

  /// Makes sure that the bytes are on disk, and closes the file.
  ///
  /// - Throws: `FileError`.
  func finish() throws(FileError) {
    try FileSystem.remove(path + ".json")
    let failure = state.withLock { state -> FileError? in
      defer { state.descriptor = -1 }
      guard state.descriptor >= 0 else { return nil }
      defer { close(state.descriptor) }
      return fsync(state.descriptor) == 0
        ? nil : FileError(.flush, path: path, code: errno)
    }
    if let failure { throw failure }
  }

  /// Removes what is there.
  func discard() {
    unlink(path)
    unlink(path + ".json")
  }

  // MARK: The answer

  func begin(_ head: HTTPResponse) -> Bool {
    guard head.status == 200 || head.status == 206 else { return false }
    let note = state.withLock { state -> JSONValue? in
      let length = head.headers["Content-Length"].flatMap { Int($0) }
      if head.status == 206 {
        // The bytes must be those that are missing, of the file that the others are of.
        guard let range = Self.range(head), range.start == state.size else {
          state.failure = .wrongAnswer("other bytes than were asked for")
          return nil
        }
        state.total = range.total ?? length.map { range.start + $0 }
      } else {
        guard Self.reset(&state) else {
          state.failure = .file(FileError(.write, path: path, code: errno))
          return nil
        }
        state.total = length
      }
      state.type = head.headers["Content-Type"] ?? state.type
      state.validator = Self.validator(head.headers) ?? (head.status == 206 ? state.validator : nil)
      if let total = state.total, total > Self.limit {
        state.failure = .tooLarge(limit: Self.limit)
      }
      guard let validator = state.validator else { return nil }
      var note: JSONObject = ["validator": .string(validator)]
      if let total = state.total { note["total"] = .number(JSONNumber(total)) }
      if let type = state.type { note["type"] = .string(type) }
      return .object(note)
    }
    if let note {
      // A shortcut for the next start; without it the file is fetched from its beginning.
      _ = try? AtomicFile.write(note.fileBytes(), to: path + ".json", mode: 0o600)
    }
    return true
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (isTaken, size, total) = state.withLock { state -> (Bool, Int, Int?) in
      guard state.failure == nil, state.descriptor >= 0 else { return (false, 0, nil) }
      guard state.size + bytes.count <= state.total ?? Self.limit else {
        state.failure = .wrongAnswer("more bytes than it said")
        return (false, 0, nil)
      }
      var written = 0
      while written < bytes.count {
        let count = pwrite(
          state.descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(state.size))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          state.failure = .file(FileError(.write, path: path, code: errno))
          return (false, 0, nil)
        }
        written += count
        state.size += count
      }
      return (true, state.size, state.total)
    }
    if isTaken { progress(size, total) }
    return isTaken
  }

  /// Makes the file empty.
  private static func reset(_ state: inout State) -> Bool {
    state.size = 0
    state.total = nil
    state.validator = nil
    return ftruncate(state.descriptor, 0) == 0
  }

  /// What `If-Range` can name: a strong entity tag, else the date (RFC 9110, section 13.1.5).
  private static func validator(_ headers: HTTPHeaders) -> String? {
    if let tag = headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    return headers["Last-Modified"]
  }

  /// `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4); the length may be `*`.
  private static func range(_ head: HTTPResponse) -> (start: Int, total: Int?)? {
    guard let text = head.headers["Content-Range"], text.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ Int($0) })
    else { return nil }
    return (start, Int(parts[1]))
  }
}
