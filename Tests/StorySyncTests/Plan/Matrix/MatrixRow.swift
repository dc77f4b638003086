import StoryLibrary
import StorySync

/// One line of a merge matrix: what is here, what is on the server, and what a sync makes of it.
struct MatrixRow: Sendable {
  /// What happened to the record here since the last sync.
  enum Here: String, CaseIterable, Sendable {
    case unchanged
    /// One field has another value.
    case same
    /// Another field has another value.
    case other
    /// By `stories rm`.
    case removed = "rm"
    /// By hand.
    case deleted
    case renamed
    /// Renamed, and one field has another value.
    case renamedSame = "renamed same"
    /// It never was here.
    case absent
  }

  /// What happened to it on the server.
  enum There: String, CaseIterable, Sendable {
    case unchanged
    /// The field that may be changed here as well.
    case same
    case other
    /// The same field, to the same value as here.
    case alike
    case deleted
    /// It never was there; what is here has no sidecar.
    case none = "not yet"
  }

  /// Who wins: the library's own policies, or what `--strategy` says.
  enum Chosen: String, CaseIterable, Sendable {
    case own, server, local, merge, ask
    /// `newest`, with a file that is newer than the server's record, and with an older one.
    case newer, older

    var strategy: Strategy? {
      switch self {
      case .own: nil
      case .newer, .older: .newest
      default: Strategy(rawValue: rawValue)
      }
    }
  }

  var here: Here
  var there: There
  /// The choices that lead to this; empty where nobody's choice matters.
  var chosen: [Chosen]
  /// Whether the line is about the choices that no other one of the same states names.
  private var isAboutOthers: Bool
  var ways: [SyncOptions.Direction]
  /// The files, the sidecars, the server's record, the requests but those of every sync, the exit
  /// code.
  var expected: [String]

  /// Reads a line of a table.
  init(_ line: Substring) throws {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingPrefix { $0 == " " } }
      .map { String($0.reversed().trimmingPrefix { $0 == " " }.reversed()) }
    guard cells.count == 9, let here = Here(rawValue: cells[0]),
      let there = There(rawValue: cells[1])
    else { throw Unexpected("this is no line of the table: \(line)") }
    self.here = here
    self.there = there
    isAboutOthers = cells[2] == "others"
    chosen = try ["any", "others"].contains(cells[2]) ? [] : Self.choices(cells[2], line)
    ways = try cells[3] == "all" ? [.both, .push, .pull] : Self.ways(cells[3], line)
    expected = Array(cells[4...])
  }

  private static func choices(_ text: String, _ line: Substring) throws -> [Chosen] {
    try text.split(separator: " ").map {
      guard let choice = Chosen(rawValue: String($0)) else { throw Unexpected("\($0) in: \(line)") }
      return choice
    }
  }

  private static func ways(
    _ text: String, _ line: Substring
  ) throws -> [SyncOptions.Direction] {
    try text.split(separator: " ").map {
      switch $0 {
      case "sync": .both
      case "push": .push
      case "pull": .pull
      default: throw Unexpected("\($0) in: \(line)")
      }
    }
  }

  /// The lines of a table; the first one names the columns.
  static func table(_ text: String) throws -> [MatrixRow] {
    var rows = try text.split(separator: "\n").dropFirst().map { try MatrixRow($0) }
    for index in rows.indices where rows[index].isAboutOthers {
      let row = rows[index]
      let named = rows.filter {
        $0.here == row.here && $0.there == row.there && !$0.isAboutOthers
      }.flatMap(\.chosen)
      rows[index].chosen = Chosen.allCases.filter { !named.contains($0) }
    }
    return rows
  }
}
