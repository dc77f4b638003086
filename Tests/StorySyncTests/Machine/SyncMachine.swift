import JSONText
import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

@testable import stories

/// One random history of three libraries and a server, after the machine that vdirsyncer tests its
/// synchronisation with.
///
/// Everything in it follows from its seed; with `SWIFT_DETERMINISTIC_HASHING=1` in the environment
/// that holds for the order of dictionaries too.
final class SyncMachine {
  /// One of the libraries with what belongs to its machine.
  struct Clone {
    var hand: LibraryHand
    var stops: StopPoints
    var transport: SocketTransport
    var time: TimeSource
    /// What git has of it, oldest first.
    var commits: [[String: LibraryHand.Pair]] = []

    var library: TestLibrary { hand.library }
  }

  let features: Set<ServerFeature>
  /// Whether the server does a write that is sent again, in whatever request, once in all.
  let hasKeys: Bool
  /// What the server had at some moments.
  private var backups: [TestWorld.Backup] = []
  let world: TestWorld
  let clock: ManualClock
  let ledger: Ledger
  let server: ServerHand
  var clones: [Clone] = []
  var random: SeededGenerator

  init(
    seed: UInt64, _ kind: ContractServer, features: Set<ServerFeature>, bindsKeys: Bool = false,
    isLoud: Bool = false
  ) throws {
    self.features = features
    random = SeededGenerator(seed: seed)
    // Kinto knows a record that is made again by its id, which comes from its key.
    hasKeys = kind.isKinto || features.contains(.idempotency) && !bindsKeys
    ledger = Ledger(hasKeys: hasKeys, isLoud: isLoud)
    // Kinto's own clock cannot be set, so that the others go on from there.
    clock = kind.isKinto ? ManualClock(TimeSource.system.now().seconds * 1_000) : ManualClock()
    let clock = clock
    let numbers = NumberSource(seed: seed)
    world = try TestWorld(kind) { options in
      options.features = features
      options.bindsKeysToRequests = bindsKeys
      options.clock = { clock.now }
      options.random = { numbers.next() }
    }
    server = ServerHand(world: world, ledger: ledger)
    for (place, name) in ["a", "b", "c"].enumerated() {
      let library = try world.library(name)
      let stops = try StopPoints(library.root)
      let time = clock.time(ahead: Int64(place - 1) * 7_200_000)
      clones.append(
        Clone(
          hand: LibraryHand(library: library, ledger: ledger, name: name, time: time),
          stops: stops,
          transport: SocketTransport(port: world.server.port) { stops.isStopped }, time: time))
    }
    // The server takes so few at once that pages and batches have borders.
    try world.setLimits(
      page: pick([2, 3, 5, 20]), batch: pick([1, 2, 3, 20]))
  }

  // MARK: Steps

  func step() async throws {
    clock.advance(milliseconds: pick([0, 1, 40, 2_000, 60_000, 400_000, 4_000_000]))
    let place = Int.random(in: 0..<clones.count, using: &random)
    let hand = clones[place].hand
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: try hand.edit(&random)
    case 30..<40: try hand.create(&random)
    case 40..<43: try hand.delete(&random)
    case 43..<47: try hand.move(&random)
    case 47..<48: try hand.moveFolder(&random)
    case 48..<49: try hand.copy(&random)
    case 49..<50: try hand.moveByCommand(&random)
    case 50..<52: try hand.removeByCommand(&random)
    case 52..<55: try hand.resolve(&random)
    case 55..<56: try hand.undo()
    case 56..<58: clones[place].commits.append(try hand.commit())
    case 58..<60: try checkOut(place)
    case 60..<61: try exchange(place)
    case 61..<69: try server.edit(&random)
    case 69..<71: try server.create(&random)
    case 71..<72: try server.delete(&random)
    case 72..<73: try await loseSidecars(place)
    case 73..<74: try hand.removeFolder(&random)
    case 74..<75: try hand.removeWithoutEvidence(&random)
    case 75..<76 where world.bucket == nil: backups.append(world.backup())
    case 76..<78 where world.bucket == nil: try await showOlderServer(place)
    case 78..<79: try await keepOutOfTree(place)
    default: try await sync(place)
    }
  }

  func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  /// An older state comes back: of one pair, seldom of all.
  private func checkOut(_ place: Int) throws {
    guard let commit = clones[place].commits.randomElement(using: &random) else { return }
    let hand = clones[place].hand
    let now = try hand.commit()
    if Int.random(in: 0..<4, using: &random) == 0 {
      for path in Set(commit.keys).union(now.keys).sorted() {
        try hand.checkOut(path, commit[path] ?? .init(), "git checkout (all)")
      }
      return
    }
    guard let (path, pair) = commit.sorted(by: { $0.key < $1.key }).randomElement(using: &random),
      pair.record != nil, let id = LibraryHand.id(pair)
    else { return }
    // Two records must not get one id by this.
    if let other = try hand.ids()[id], other != path { return }
    if let present = now[path], let other = LibraryHand.id(present), other != id { return }
    try hand.checkOut(path, pair, "git checkout")
  }

  /// One pair of another clone arrives through git.
  private func exchange(_ place: Int) throws {
    let other = (place + 1) % clones.count
    let (hand, source) = (clones[place].hand, clones[other].hand)
    let tree = try source.commit()
    guard let (path, pair) = tree.sorted(by: { $0.key < $1.key }).randomElement(using: &random),
      pair.record != nil, let id = LibraryHand.id(pair)
    else { return }
    let now = try hand.commit()
    if let present = now[path] {
      guard LibraryHand.id(present) == id else { return }
    } else if try hand.ids()[id] != nil {
      return
    }
    // The note whose ids these are comes along.
    let settings = LibraryConfiguration.fileName
    try clones[place].library.write(settings, clones[other].library.read(settings))
    try hand.checkOut(path, pair, "git merge from \(source.name):")
  }

  /// A branch arrives that has records without their sidecars, and is synced: what the server has just
  /// like that is taken for what it is, and nothing is created.
  private func loseSidecars(_ place: Int) async throws {
    let clone = clones[place]
    var lost: Set<RecordRef> = []
    var live: [EntityKind: [String: JSONValue]] = [:]
    for kind in EntityKind.writable { live[kind] = try server.live(kind) }
    // Of two records that are alike nobody can tell which is which, nor what names which.
    let fields = live.flatMap { kind, records in
      records.values.map { FieldValues(kind: kind, wire: $0.object ?? JSONObject()) }
    }
    let alike = Dictionary(grouping: fields) { $0 }.mapValues(\.count)
    for entry in try clone.library.scan().entries
    where entry.state == .synced && entry.renamedFrom == nil {
      // What somebody else changed meanwhile looks like another record.
      guard let id = entry.id, let there = live[entry.ref.kind]?[id],
        there["updatedAt"]?.string == entry.updatedAt,
        alike[FieldValues(kind: entry.ref.kind, wire: there.object ?? JSONObject())] == 1
      else { continue }
      try clone.library.remove(entry.sidecarPath)
      lost.insert(entry.ref)
    }
    clone.hand.note("loses the sidecars of \(lost.count) records")
    var options = SyncOptions()
    options.direction = pick([.both, .push, .pull])
    guard let report = try await run(place, options) else { return }
    let created = report.created.filter(lost.contains)
    // A copy that says the same may have become the server's record instead.
    let copies = report.adopted.count { !lost.contains($0) }
    try require(created.count <= copies, "\(clone.hand.name) created \(created) a second time")
    try await answer(report.stops, place, options)
  }

  /// The server is restored from a backup by mistake, and a library that knows something newer looks at
  /// it. Nothing is synced then: what would come of that is nobody's fault but the mistake's.
  private func showOlderServer(_ place: Int) async throws {
    guard let backup = backups.randomElement(using: &random) else { return }
    let now = world.backup()
    world.restore(backup)
    defer { world.restore(now) }
    var isOlder = false
    let scan = try clones[place].library.scan()
    for kind in EntityKind.writable {
      let live = try server.live(kind)
      for entry in scan.entries where entry.ref.kind == kind {
        guard let id = entry.id, let had = entry.updatedAt.flatMap({ ServerDate($0) }),
          let has = live[id]?["updatedAt"]?.string.flatMap({ ServerDate($0) }), has < had
        else { continue }
        isOlder = true
      }
    }
    guard isOlder else { return }
    var options = SyncOptions()
    options.direction = pick([.both, .push, .pull])
    options.isDryRun = true
    ledger.note("the server is restored from a backup for a moment")
    guard let report = try await run(place, options) else { return }
    try require(
      report.stops.contains { if case .serverWentBack = $0 { true } else { false } },
      "\(clones[place].hand.name) did not see that the server went back")
  }

  /// A sparse checkout leaves a record out. While git fails, nobody can say why the record is not
  /// there, and nothing is sent; once git answers, nothing of it is deleted.
  private func keepOutOfTree(_ place: Int) async throws {
    let clone = clones[place]
    let synced = try clone.library.scan().entries.filter {
      $0.state == .synced && $0.renamedFrom == nil
    }
    guard let entry = synced.randomElement(using: &random), let id = entry.id else { return }
    let path = entry.ref.path
    let text = try clone.library.read(path)
    try clone.library.remove(path)
    clone.hand.note("git leaves \(path) out of the tree, and fails")
    _ = world.takeRequests()
    var isRefused = false
    do {
      var synchronizer = try synchronizer(place)
      synchronizer.scanner.notCheckedOut = { (_) throws(LibraryError) in
        throw .sparseUnknown(marker: ".git", .timedOut)
      }
      _ = try await synchronizer.run(SyncOptions())
    } catch LibraryError.sparseUnknown {
      isRefused = true
    }
    try require(isRefused, "\(clone.hand.name) synced a sparse tree although git failed")
    try require(world.takeRequests().isEmpty, "\(clone.hand.name) asked the server all the same")

    clone.hand.note("git answers")
    var synchronizer = try synchronizer(place)
    synchronizer.scanner.notCheckedOut = { (paths) throws(LibraryError) in
      Set(paths).intersection([path])
    }
    var options = SyncOptions()
    options.direction = pick([.both, .push, .pull])
    let existed = try server.live(entry.ref.kind)[id] != nil
    _ = try await synchronizer.run(options)
    try require(
      try server.live(entry.ref.kind)[id] != nil || !existed,
      "\(clone.hand.name) deleted \(path), which is not checked out")
    try clone.library.write(path, text)
  }

  // MARK: Syncing

  private func synchronizer(_ place: Int) throws -> Synchronizer {
    let (world, clone) = (world, clones[place])
    var synchronizer = Synchronizer(library: try clone.library.library, time: clone.time) { _ in
      Connection(
        client: try world.client(transport: clone.transport, time: clone.time),
        identity: world.identity)
    }
    synchronizer.wording = .english
    try ScanVariant.current.prepare(&synchronizer.scanner)
    // Every clone has another number of threads, so that no history depends on it.
    synchronizer.scanner.workers = [1, 8, 2][place % 3]
    return synchronizer
  }

  /// Syncs a clone, mostly in a way that something goes wrong.
  private func sync(_ place: Int) async throws {
    var options = SyncOptions()
    options.direction = pick([.both, .both, .both, .push, .pull])
    options.strategy = pick([nil, nil, nil, nil, .server, .local, .newest, .merge, .ask])
    options.isFull = Int.random(in: 0..<8, using: &random) == 0
    let trouble = Int.random(in: 0..<10, using: &random)
    if trouble == 0 { try await compareWithDryRun(place, options) }
    var fault: FaultID?
    switch trouble {
    case 1...2: saveDuringSync(place)
    case 3...5: fault = world.server.addFault(randomFault())
    case 6: fault = world.server.addFault(editDuringSync(place))
    case 8 where world.bucket != nil: fault = world.server.addFault(killAtARequest(place))
    case 7...8 where StopPoints.areAvailable:
      clones[place].stops.arm(Int.random(in: 1...80, using: &random))
    default: break
    }
    let report = try await run(place, options)
    if let fault { world.server.removeFault(fault) }
    clones[place].stops.arm()
    guard let report else {
      // Somebody goes on with the files as the run left them, between two renames perhaps.
      for _ in 0..<pick([0, 2, 4]) { try clones[place].hand.edit(&random) }
      return
    }
    // Nobody but the sync had a hand in the files.
    if ![1, 2, 6].contains(trouble) { try checkNoted(place, report) }
    try await answer(report.stops, place, options)
  }

  /// What a sync notes of all sidecars is what they say.
  private func checkNoted(_ place: Int, _ report: SyncReport) throws {
    guard report.error == nil, report.stops.isEmpty else { return }
    let library = clones[place].library
    let noted = PullState(try library.library)?.sidecarDigest
    try require(
      try noted == library.scan().pulledDigest,
      "\(clones[place].hand.name) noted something else than its sidecars say")
  }

  /// Runs a sync; `nil` where the "process" was killed.
  func run(_ place: Int, _ options: SyncOptions) async throws -> SyncReport? {
    let name = clones[place].hand.name
    ledger.note(
      "\(name): sync \(options.direction) \(options.strategy?.rawValue ?? "-")"
        + (options.isFull ? " full" : "")
        + (options.maximumDeletes.map { " max \($0)" } ?? ""))
    do {
      let report = try await synchronizer(place).run(options)
      if clones[place].stops.isStopped {
        ledger.note("\(name): killed")
        return nil
      }
      ledger.note("\(name): " + Self.shown(report))
      return report
    } catch {
      guard clones[place].stops.isStopped else { throw error }
      ledger.note("\(name): killed (\(error))")
      return nil
    }
  }

  /// What a person does when a sync stops for safety.
  func answer(_ stops: [SafetyStop], _ place: Int, _ options: SyncOptions) async throws {
    guard !stops.isEmpty else { return }
    var options = options
    for stop in stops {
      switch stop {
      case .deletes(_, _, let count, _):
        options.maximumDeletes = max(count, options.maximumDeletes ?? 0)
      case .stillNamed(let ref, _): try bringBack(ref, place)
      default: throw Unexpected("\(clones[place].hand.name) stopped: \(stop)")
      }
    }
    if let report = try await run(place, options), !report.stops.isEmpty {
      try await answer(report.stops, place, options)
    }
  }

  /// `git checkout -- heroes/luna.json`.
  private func bringBack(_ ref: RecordRef, _ place: Int) throws {
    let library = clones[place].library
    let sidecar = try library.sidecar(ref.description)
    let bytes = RecordFile.newFile(sidecar.base, references: try library.scan().references)
    try library.write(ref.path, String(decoding: bytes, as: UTF8.self))
    if sidecar.isDeleteStated {
      var kept = sidecar
      kept.isDeleteStated = false
      try library.write(ref.sidecarPath, String(decoding: kept.fileBytes, as: UTF8.self))
    }
  }

  private func compareWithDryRun(_ place: Int, _ options: SyncOptions) async throws {
    var options = options
    options.isDryRun = true
    let library = clones[place].library
    let before = try library.tracked()
    _ = world.takeRequests()
    var dry = try await synchronizer(place).run(options)
    try require(try library.tracked() == before, "a dry run changed a tracked file")
    try require(
      world.takeRequests().allSatisfy { $0.isRead }, "a dry run sent more than reads")
    options.isDryRun = false
    guard let real = try await run(place, options) else { return }
    guard dry.unsettled.isEmpty else { return try await answer(real.stops, place, options) }
    // That the server would refuse a record nobody could tell.
    dry.forget(real.failed.map(\.ref))
    var (expected, found) = (dry.outline, real.outline)
    if world.api == .v1 {
      // Nor that it takes some of a new record only as a change to it.
      let created = real.created.map { "\($0)[" }
      found["updated"]?.removeAll { update in created.contains(where: update.hasPrefix) }
      if found["updated"]?.isEmpty == true { found["updated"] = nil }
    }
    try require(expected == found, "dry run \(expected), real run \(found)")
    try await answer(real.stops, place, options)
  }

  func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Unexpected(message()) }
  }

  private static func shown(_ report: SyncReport) -> String {
    var text = report.outline.filter { !$0.value.isEmpty }
      .sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.joined(separator: " "))" }.joined(separator: "; ")
    for failure in report.failed { text += "; failed \(failure.ref): \(failure.message)" }
    if let error = report.error { text += "; error \(error)" }
    for stop in report.stops { text += "; stop \(stop.message)" }
    return text
  }
}
