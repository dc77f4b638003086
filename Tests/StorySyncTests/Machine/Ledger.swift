import StoryLibrary
import Synchronization
import TestSupport

/// What people did in one history: every edit has a mark of its own that can be looked for later.
///
/// A mark that somebody saw and replaced or removed on purpose is given up; every other one has to be
/// found again at the end.
final class Ledger: Sendable {
  private struct State {
    var next = 1
    /// What was done for each mark, for messages.
    var issued: [String: String] = [:]
    var givenUp: Set<String> = []
    /// How many records may bear each mark of birth.
    var births: [String: Int] = [:]
    /// What was counted for each story, by its mark of birth.
    var counted: [String: Int] = [:]
    /// Stories whose number nobody can foretell: copied, restored or deleted ones.
    var uncertain: Set<String> = []
    /// Records that went without anybody's wish, so that they must come back.
    var kept: Set<String> = []
    /// Records that somebody removed on purpose, somewhere.
    var removed: Set<String> = []
    var log: [String] = []
  }

  private let state = Mutex(State())
  /// Whether every note is printed at once, for somebody who looks for a mistake.
  let isLoud: Bool

  /// Whether the server remembers keys, so that nothing is ever created twice.
  let hasKeys: Bool

  init(hasKeys: Bool, isLoud: Bool = false) {
    self.hasKeys = hasKeys
    self.isLoud = isLoud
  }

  /// A new mark for an edit.
  func mark(_ what: String) -> String {
    state.withLock { state in
      let mark = "m\(state.next)z"
      state.next += 1
      state.issued[mark] = what
      return mark
    }
  }

  /// A number that was not given yet, for names.
  func number() -> Int {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
  }

  /// A new mark of birth, which may be found in one record.
  func birth() -> String {
    state.withLock { state in
      let mark = "b\(state.next)z"
      state.next += 1
      state.births[mark] = 1
      state.counted[mark] = 0
      return mark
    }
  }

  /// One more record may bear the marks of birth in a text.
  func allowCopy(of text: String) {
    state.withLock { state in
      for mark in Self.births(in: text) {
        state.births[mark, default: 0] += 1
        state.uncertain.insert(mark)
      }
    }
  }

  /// A record gets another name. On a server without keys nobody can tell it from another one then: a
  /// create of which no answer came is done again.
  func allowLostName(_ text: String, in world: TestWorld) {
    guard !hasKeys, let libraries = try? FileSystem.list(world.folder) else { return }
    let isLost = libraries.contains { library in
      let path = Path.join(world.folder, library.name + "/.stories/journal")
      let journal = String(decoding: (try? FileSystem.read(path)) ?? [], as: UTF8.self)
      return !Self.births(in: journal).isDisjoint(with: Self.births(in: text))
    }
    if isLost { allowCopy(of: text) }
  }

  func count(_ text: String, _ number: Int) {
    state.withLock { state in
      for mark in Self.births(in: text) { state.counted[mark, default: 0] += number }
    }
  }

  func makeUncertain(_ text: String) {
    state.withLock { $0.uncertain.formUnion(Self.births(in: text)) }
  }

  /// Somebody replaced a text by another on purpose, or removed it.
  func replace(_ old: String?, by new: String?) {
    let gone = Self.marks(in: old ?? "").subtracting(Self.marks(in: new ?? ""))
    state.withLock { state in
      state.givenUp.formUnion(gone)
      if new == nil { state.removed.formUnion(Self.births(in: old ?? "")) }
    }
  }

  /// A record goes without anybody's wish: it must be on the server in the end, unless somebody removes
  /// it elsewhere.
  func keep(_ text: String) {
    state.withLock { $0.kept.formUnion(Self.births(in: text)) }
  }

  /// A record may go by what somebody does.
  func allowRemoval(of text: String) {
    state.withLock { $0.removed.formUnion(Self.births(in: text)) }
  }

  /// The records that must be on the server.
  var kept: Set<String> { state.withLock { $0.kept.subtracting($0.removed) } }

  /// An edit that did not come about after all.
  func giveUp(_ marks: Set<String>) { state.withLock { $0.givenUp.formUnion(marks) } }

  func note(_ text: String) {
    if isLoud { print(text) }
    state.withLock { $0.log.append(text) }
  }

  var log: [String] { state.withLock { $0.log } }

  /// The marks that have to be found, with what they stand for.
  var expected: [String: String] {
    state.withLock { state in state.issued.filter { !state.givenUp.contains($0.key) } }
  }

  var births: [String: Int] { state.withLock { $0.births } }

  /// What was counted for the stories of which that is known.
  var counted: [String: Int] {
    state.withLock { state in state.counted.filter { !state.uncertain.contains($0.key) } }
  }

  static func marks(in text: String) -> Set<String> { tokens("m", in: text) }
  static func births(in text: String) -> Set<String> { tokens("b", in: text) }

  /// Words of a letter, digits and `z`.
  private static func tokens(_ letter: Character, in text: String) -> Set<String> {
    let first = letter.asciiValue ?? 0
    let bytes = Array(text.utf8)
    var found: Set<String> = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == first else {
        index += 1
        continue
      }
      var end = index + 1
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
      if end > index + 1, end < bytes.count, bytes[end] == UInt8(ascii: "z") {
        found.insert(String(decoding: bytes[index...end], as: UTF8.self))
      }
      index = end
    }
    return found
  }
}
