import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport

@testable import StorySync
@testable import stories

/// One cell of a matrix: a library and an account of its own, in the state that a row names, synced
/// once.
struct MatrixCell {
  let sample: MatrixSample
  let row: MatrixRow
  let chosen: MatrixRow.Chosen
  let way: SyncOptions.Direction
  let account: String

  private var kind: EntityKind { sample.kind }
  private var path: String { "\(kind.folder)/x.json" }
  private var wireKind: RecordKind { RecordKind(rawValue: kind.schema.wirePath) ?? .heroes }

  // MARK: Before

  /// What the account has on the server before anything happens.
  var imported: [ImportedRecord] {
    func record(_ kind: RecordKind, _ id: String, _ wire: JSONObject) -> ImportedRecord {
      ImportedRecord(
        kind: kind, id: id, updatedAt: MatrixSample.version,
        json: JSONValue.object(wire).compactBytes)
    }
    var records: [ImportedRecord] = []
    if kind == .stories { records.append(record(.heroes, MatrixSample.heroID, MatrixSample.hero)) }
    if row.there != .none { records.append(record(wireKind, MatrixSample.id, sample.wire())) }
    return records
  }

  private func makeLibrary(_ world: TestWorld) throws -> TestLibrary {
    let library = try world.library(account)
    if kind == .stories {
      let hero = JSONValue.object(MatrixSample.hero).fileBytes()
      try library.write("heroes/luna.json", String(decoding: hero, as: UTF8.self))
      try library.write(
        "heroes/.sync/luna.json",
        MatrixSample.sidecar(.heroes, MatrixSample.heroID, MatrixSample.hero))
    }
    guard row.here != .absent else { return library }
    try library.write(path, sample.text())
    if row.there != .none {
      try library.write(
        "\(kind.folder)/.sync/x.json",
        MatrixSample.sidecar(kind, MatrixSample.id, sample.wire()))
    }
    switch row.here {
    case .unchanged, .absent: break
    case .same: try library.write(path, sample.text("l"))
    case .other: try library.write(path, sample.text("b", "l"))
    case .removed:
      try LibraryEditor(library.library).remove(RecordRef(kind: kind, name: "x"))
    case .deleted:
      // Somebody looked at it while it was here.
      _ = try library.scan()
      try library.remove(path)
    case .renamed, .renamedSame:
      _ = try library.scan()
      try library.move(path, "\(kind.folder)/deep/y.json")
      if row.here == .renamedSame {
        try library.write("\(kind.folder)/deep/y.json", sample.text("l"))
      }
    }
    return library
  }

  private func changeServer(_ world: TestWorld) throws {
    let (path, id) = (kind.schema.wirePath, MatrixSample.id)
    let target = "\(world.path(path))/\(id)"
    let change: (key: String, name: String)
    switch row.there {
    case .unchanged, .none: return
    case .deleted:
      if let bucket = world.bucket { return try bucket.delete(path, id) }
      _ = try world.server.perform("DELETE", target, as: account)
      return
    case .same: change = (sample.keys[0], "s")
    case .other: change = (sample.keys[1], "s")
    case .alike: change = (sample.keys[0], "l")
    }
    let body: JSONValue = .object([change.key: sample.value(change.key, change.name)])
    if let bucket = world.bucket { return try bucket.patch(path, id, body) }
    let answer = try world.server.perform("PATCH", target, body: body, as: account)
    guard answer.status == 200 else { throw Unexpected("PATCH answered \(answer.status)") }
  }

  // MARK: The sync

  /// Carries it out; what came of it, as a row of the table has it.
  func run(_ world: TestWorld, _ clock: ManualClock) async throws -> [String] {
    let library = try makeLibrary(world)
    try changeServer(world)
    if chosen == .newer || chosen == .older {
      let offset: Double = chosen == .newer ? 3_600 : -3_600
      for path in try library.paths(kind.folder) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: Double(clock.now) / 1_000 + offset)],
          ofItemAtPath: library.path(path))
      }
    }
    let before = try edits(library, world, isAfter: false)
    let requests = Requests(world.transport)
    var options = SyncOptions()
    options.direction = way
    options.strategy = chosen.strategy
    let (account, time) = (account, clock.time())
    // What the sidecars written above belong to.
    let identity =
      world.bucket == nil
      ? LibraryConfiguration.Identity(server: world.url, account: account) : world.identity
    try library.library.rememberOwner(identity)
    let report = try await Synchronizer(library: library.library, time: time) { _ in
      Connection(
        client: try world.client(of: account, transport: requests, time: time), identity: identity)
    }.run(options)
    let there = try world.live(wireKind, of: account).first?.value
    try checkVersions(library, there)
    let lost = before.subtracting(try edits(library, world, isAfter: true))
    guard lost.isEmpty else { throw Unexpected("nowhere any more: \(lost.sorted())") }
    return [
      try files(library), try sidecars(library), there.map { sample.shown($0) } ?? "–",
      try sent(requests.log, world), "\(report.exitCode.rawValue)",
    ]
  }

  // MARK: After

  private func files(_ library: TestLibrary) throws -> String {
    let files = try library.paths(kind.folder).filter {
      !$0.contains("/.sync/") && $0 != "heroes/luna.json"
    }
    return try shown(files.map { ($0, sample.shown(try library.value($0))) })
  }

  private func sidecars(_ library: TestLibrary) throws -> String {
    let files = try library.paths(kind.folder).filter {
      $0.contains("/.sync/") && $0 != "heroes/.sync/luna.json"
    }
    return try shown(
      files.map { file in
        let value = try library.value(file)
        var text = sample.shown(value["base"])
        for (key, name) in zip(sample.keys, ["same", "other"]) {
          if let side = value["conflict"]?["fields"]?[key], value["conflict"]?["deleted"] == nil {
            text += " \(name)?"
            guard sample.name(key, side["base"]) == "b", side["server"] == value["base"]?[key]
            else { throw Unexpected("the conflict of \(file) is \(side.compactText)") }
          }
        }
        if value["conflict"]?["deleted"] == "server" { text += " gone?" }
        if value["conflict"]?["deleted"] == "here" { text += " back?" }
        if value["delete"] == true { text += " rm" }
        return (file, text)
      })
  }

  /// Files with what is in them; only where one is not called `x` is its name said.
  private func shown(_ files: [(path: String, text: String)]) throws -> String {
    let texts = files.map { path, text in
      if path == self.path || path == "\(kind.folder)/.sync/x.json" { return text }
      let isRenamed = path.hasSuffix("deep/y.json") || path.hasSuffix("deep/.sync/y.json")
      return "\(isRenamed ? "y" : path) \(text)"
    }
    return texts.isEmpty ? "–" : texts.joined(separator: ", ")
  }

  /// What was sent besides the reads of every sync.
  private func sent(_ log: [String], _ world: TestWorld) throws -> String {
    let lists = EntityKind.writable.map { "GET \(world.path($0.schema.wirePath))" }
    let reads = (world.bucket == nil ? ["GET /api/health"] : []) + lists
    // A Kinto tells totals apart from lists, and what it is only before a write.
    let log = log.filter { !$0.hasPrefix("HEAD ") && $0 != "GET /v1/" }
    guard log.starts(with: reads) else { throw Unexpected("the sync began with \(log)") }
    let own = world.path(kind.schema.wirePath)
    // Before a delete, the server is asked once more for what references the record.
    let after = log.dropFirst(reads.count)
    let writes = zip(after, Array(after.dropFirst()) + [""]).filter { request, next in
      request != lists.last || !next.hasPrefix("DELETE ")
    }
    let rest = writes.map(\.0).map { request in
      switch request {
      case "POST \(own)": "POST"
      case "PATCH \(own)/\(MatrixSample.id)": "PATCH"
      case "DELETE \(own)/\(MatrixSample.id)": "DELETE"
      // A Kinto is told the id of a new record.
      default: request.hasPrefix("PUT \(own)/") ? "POST" : request
      }
    }
    return rest.isEmpty ? "–" : rest.joined(separator: ", ")
  }

  /// The edits of both sides that can be found: in the files and on the server, and once a sync was
  /// there, in conflicts and runs as well.
  private func edits(
    _ library: TestLibrary, _ world: TestWorld, isAfter: Bool
  ) throws -> Set<String> {
    var text = try world.live(wireKind, of: account).map(\.value.compactText).joined()
    for (path, bytes) in try library.tracked() {
      let content = String(decoding: bytes, as: UTF8.self)
      guard path.contains("/.sync/") else {
        text += content
        continue
      }
      text += try JSONValue(parsing: bytes)["conflict"]?.compactText ?? ""
    }
    if isAfter, library.exists(".stories/runs") {
      for run in try FileSystem.list(library.path(".stories/runs")) {
        let saved = ".stories/runs/\(run.name)/saved.jsonl"
        if library.exists(saved) { text += try library.read(saved) }
      }
    }
    let edits = ["l", "s"].flatMap { [MatrixSample.values[$0], MatrixSample.types[$0]] }
    return Set(edits.compactMap { $0 }.filter { firstRange(of: $0, in: text) != nil })
  }

  /// A sidecar with the server's values has the server's version, and no other one has it.
  private func checkVersions(_ library: TestLibrary, _ there: JSONValue?) throws {
    guard let there else { return }
    for path in try library.paths(kind.folder) where path.contains("/.sync/") {
      let value = try library.value(path)
      guard value["id"] == there["id"] else { continue }
      let isBase = sample.shown(value["base"]) == sample.shown(there)
      guard isBase == (value["updatedAt"] == there["updatedAt"]) else {
        throw Unexpected("\(path) has a base and a version that do not belong together")
      }
    }
  }
}

/// Carries requests and notes their methods and paths.
private final class Requests: Transport {
  private let inner: any Transport
  private let entries = Mutex<[String]>([])

  init(_ inner: any Transport) { self.inner = inner }

  var log: [String] { entries.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let parts = request.url.split(separator: "/", maxSplits: 2)
    let path = "/" + (parts.last ?? "").prefix { $0 != "?" }
    // A batch counts as the writes in it; before them, it writes the collection itself.
    let batch = path == "/v1/batch" ? (try? JSONValue(parsing: request.body)) : nil
    let writes = (batch?["requests"]?.array ?? []).compactMap { write -> String? in
      guard let path = write["path"]?.string, path.contains("/records/") else { return nil }
      return "\(write["method"]?.string ?? "") /v1\(path)"
    }
    entries.withLock { $0 += batch == nil ? ["\(request.method.rawValue) \(path)"] : writes }
    return try await inner.send(request)
  }
}
