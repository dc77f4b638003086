import JSONText
import StoryLibrary

/// What git makes of a library: merges with our drivers, the size of versions, and what a commit holds.
enum GitArea: Area {
  static let name = "git"
  static let summary = "merges with our drivers against an empty one, packed sizes, commits"

  static func measure(_ bench: Bench) async throws {
    try await measureMerge(bench)
    try measurePacks(bench)
    try measureCommit(bench)
  }

  // MARK: A merge

  /// Both sides change every record and its sidecar, as two clones do that sync.
  private static func measureMerge(_ bench: Bench) async throws {
    let count = min(1_000, bench.options.records)
    let repository = Repository(bench, "merged")
    try SampleTree.makeSettled(repository.root, records: count)
    try repository.start()
    try bench.stories(repository.root, "git", "setup")
    try repository.commit("base")
    for side in Side.allCases {
      try repository.git("checkout", "-q", "-b", side.rawValue, "main")
      try write(side, records: count, to: repository.root)
      try repository.commit(side.rawValue)
    }
    let keys = ["merge.stories-json.driver", "merge.stories-sidecar.driver"]
    let empty = keys.map { "\($0)='\(bench.products)/empty-program' %O %A %B" }
    func merge(_ settings: [String]) throws -> Double {
      try repository.git("checkout", "-q", "-f", "--detach", Side.ours.rawValue)
      return try bench.run(
        repository.command + settings.flatMap { ["-c", $0] }
          + ["merge", "-q", "--no-edit", Side.theirs.rawValue]
      ).seconds
    }
    bench.add(
      try await bench.compare(
        Self.self, "git merge, \(count) records and their sidecars changed on both sides",
        bound: .ratio(atMost: 1.5), limit: "empty Foundation program as the driver"
      ) {
        try merge([])
      } against: {
        try merge(empty)
      })
    try FileSystem.removeTree(repository.root)
  }

  private enum Side: String, CaseIterable { case ours, theirs }

  /// Writes a side's edits: other fields on each side, other lines of the prose.
  private static func write(_ side: Side, records count: Int, to root: String) throws {
    var tale = Tale()
    try tale.records(count) { record, references in
      var edited = record
      edited.fields = FieldValues(kind: record.ref.kind, wire: edit(record, on: side))
      var sidecar = SampleTree.sidecar(edited, references)
      sidecar.updatedAt = "2026-11-2\(side == .ours ? 1 : 2)T10:00:00.000Z"
      try RawTree.write(
        RecordFile.newFile(edited.fields, references: references),
        to: Path.join(root, record.ref.path))
      try RawTree.write(sidecar.fileBytes, to: Path.join(root, record.ref.sidecarPath))
    }
  }

  private static func edit(_ record: Tale.Record, on side: Side) -> JSONObject {
    var wire = record.fields.wire
    let key = record.ref.kind == .heroes ? "name" : "title"
    let prose = ["heroes": "appearance", "events": "promptSeed"][record.ref.kind.rawValue]
    switch side {
    case .ours: wire[key] = .string((wire[key]?.string ?? "") + " again")
    case .theirs:
      let text = prose ?? "content"
      wire[text] = .string((wire[text]?.string ?? "") + "\nAnd so on.")
    }
    return wire
  }

  // MARK: Sizes

  /// A form that a sidecar might have.
  private enum Form: String, CaseIterable {
    case none = "records alone"
    case asItIs = "with sidecars"
    case oneLine = "sidecars on one line"
    case lines = "prose in sidecars as lines"
    case digest = "a digest instead of the base"

    func bytes(_ sidecar: Sidecar) throws -> [UInt8]? {
      guard self != .none else { return nil }
      guard self != .asItIs, var object = try JSONValue(parsing: sidecar.fileBytes).object else {
        return sidecar.fileBytes
      }
      switch self {
      case .none, .asItIs: break
      case .oneLine: return JSONValue.object(object).compactBytes
      case .lines:
        guard var base = object["base"]?.object, let text = base["content"]?.string else { break }
        base["content"] = .array(RecordFile.lines(of: text).map { .string($0) })
        object["base"] = .object(base)
      case .digest:
        let digest = ContentDigest((object["base"] ?? .null).compactBytes)
        object["base"] = .string("\(digest)")
      }
      return JSONValue.object(object).fileBytes()
    }
  }

  private static func measurePacks(_ bench: Bench) throws {
    for kind in [EntityKind.heroes, .stories] {
      var alone: Double?
      for form in Form.allCases {
        let size = try packedSize(bench, kind, form)
        bench.add(
          Measurement(
            area: name, what: "packed, \(bench.options.records) \(kind.rawValue), \(form.rawValue)",
            unit: .bytes, samples: Samples([size]),
            limit: alone.map { (name: Form.none.rawValue, samples: Samples([$0])) }))
        alone = alone ?? size
      }
    }
  }

  private static func packedSize(
    _ bench: Bench, _ kind: EntityKind, _ form: Form
  ) throws -> Double {
    let repository = Repository(bench, "packed")
    try FileSystem.makeFolder(Path.join(repository.root, "\(kind.folder)/.sync"))
    let count = bench.options.records
    var tale = Tale()
    let mix =
      kind == .heroes
      ? (heroes: count, events: 0)
      : (heroes: max(1, count / 25), events: count / 100)
    let total = kind == .heroes ? count : count + mix.heroes + mix.events
    try tale.records(total, heroes: mix.heroes, events: mix.events) { record, references in
      guard record.ref.kind == kind else { return }
      let path = Path.join(repository.root, record.ref.path)
      try RawTree.write(RecordFile.newFile(record.fields, references: references), to: path)
      if let bytes = try form.bytes(SampleTree.sidecar(record, references)) {
        try RawTree.write(bytes, to: Path.join(repository.root, record.ref.sidecarPath))
      }
    }
    try repository.start()
    try repository.commit("all")
    try repository.git("gc", "-q")
    let packs = Path.join(repository.root, ".git/objects/pack")
    let sizes = try FileSystem.list(packs).filter {
      $0.name.utf8.suffix(5).elementsEqual(".pack".utf8)
    }
    .map { try FileSystem.status(Path.join(packs, $0.name))?.size ?? 0 }
    try FileSystem.removeTree(repository.root)
    return Double(sizes.reduce(0, +))
  }

  // MARK: A commit

  private static func measureCommit(_ bench: Bench) throws {
    let repository = Repository(bench, "synced")
    try SampleTree.makeSettled(repository.root, records: bench.options.records)
    // The embedded backend takes its records from the sidecars first.
    try bench.stories(repository.root, "sync")
    try repository.start()
    try repository.commit("all")
    let stories = try FileSystem.list(Path.join(repository.root, "stories"))
      .filter { $0.type != .folder }
    guard let story = stories.first else { return }
    let path = Path.join(repository.root, "stories/\(story.name)")
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    try RawTree.write(
      Array(text.replacing("\"title\": \"", with: "\"title\": \"Once ", maxReplacements: 1).utf8),
      to: path)
    try bench.stories(repository.root, "sync")
    try repository.commit("one")
    let listing = try repository.git("show", "--name-only", "--format=").output
    let names = String(decoding: listing, as: UTF8.self).split(separator: "\n")
    let expected = ["stories/.sync/\(story.name)", "stories/\(story.name)"]
    guard names.map(String.init) == expected else {
      throw BenchOptions.Problem(description: "the commit holds \(names.joined(separator: ", "))")
    }
    bench.add(
      Measurement(
        area: name,
        what: "files in a commit after the sync of one change, "
          + "\(bench.options.records) records",
        unit: .count, samples: Samples([Double(names.count)]), bound: .value(atMost: 2)))
    try FileSystem.removeTree(repository.root)
  }

  // MARK: Git

  /// A repository of this run, which git leaves alone between two calls.
  private struct Repository {
    let bench: Bench
    let root: String

    init(_ bench: Bench, _ name: String) {
      self.bench = bench
      root = bench.newFolder(name)
    }

    var command: [String] {
      ["git", "-C", root, "-c", "gc.auto=0", "-c", "maintenance.auto=false"]
    }

    @discardableResult
    func git(_ arguments: String...) throws -> TimedProcess.End {
      try bench.run(command + arguments)
    }

    func start() throws { try git("init", "-q", "-b", "main") }

    func commit(_ message: String) throws {
      try git("add", "-A")
      try git("commit", "-q", "-m", message)
    }
  }
}
