import Foundation
import JSONText
import StoryAPI
import StoryServer
import TestSupport
import Testing

/// The built program over two nodes of a Kinto that share one PostgreSQL.
@Suite(.inTurn, .withPostgreSQL) struct BuiltKintoNodesTests {
  private static let run = """
    run() { echo "\\$ stories $*"; "$stories" "$@" 2>&1; echo "ended with $?"; }

    """

  /// Two people share a bucket, each over an address of their own.
  private static let beginning = """
    for address in "$near" "$far"; do
      echo "$password" | run sign-in --user "$user" --password-stdin --server "$address"
    done
    run init ann --server "$near"
    run -C ann new hero Luna --age 7 --trait brave
    run -C ann new hero Ben --age 8 --trait kind
    run -C ann sync
    run clone "$far" ben
    n=0
    while [ $((n += 1)) -le 40 ]; do "$stories" -C ann new hero "Hero $n" --trait kind; done
    sed -i 's/"age": 7/"age": 9/' ann/heroes/luna.json
    "$stories" -C ann new hero Late --trait kind
    run -C ann rm heroes/ben
    """

  private static let end = """
    run -C ben sync
    grep age ben/heroes/luna.json
    run -C ann status --remote
    run -C ben status --remote
    """

  @Test func `a node is killed in the middle of a push, which goes on over the other one`()
    async throws
  {
    let shared = try KintoNodes.shared()
    let (dying, staying) = (try shared.newNode(), shared.nodes[0])
    var options = ServerOptions(dataFolder: nil)
    options.limits.idleMilliseconds = 600_000
    options.stand(before: try KintoRelay([dying, staying], takesTurns: false))
    let front = try StoryServer(options: options)
    try front.start()
    defer { front.stop() }
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let bucket = "/v1/buckets/\(KintoServer.newName("b"))"
    let names = [
      "near": front.url + bucket, "far": staying.url + bucket, "user": KintoServer.user,
      "password": KintoServer.password,
    ]
    let beginning = try program.shell(Self.run + Self.beginning, names)
    let sidecar = try JSONValue(parsing: Array(folder.read("ann/heroes/.sync/luna.json").utf8))
    // The transaction that changes her waits for somebody else's when its node goes.
    let holder = try shared.database.hold(try #require(sidecar["id"]?.string))
    try #require(holder.line(with: "held") != nil)
    let isDead = Box(false)
    Thread.detachNewThread {
      guard holder.line(with: "awaited") != nil else { return }
      dying.kill()
      isDead.value = true
      holder.send("")
    }
    let push = try program.shell(Self.run + "run -C ann sync", names)
    #expect(isDead.value, "\(push.output)")
    let end = try program.shell(Self.run + Self.end, names)
    let output = beginning.output + push.output + end.output
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_TRANSCRIPT"] {
      try output.write(toFile: path + ".nodes", atomically: true, encoding: .utf8)
    }
    for part in [
      "Sent 42 heroes and deleted 1 hero on the server", "Received 43 heroes", "\"age\": 9",
    ] {
      #expect(output.contains(part), "\(part): \(output)")
    }
    #expect(
      output.components(separatedBy: "Everything is in sync (42 heroes)").count == 3, "\(output)")
    #expect(!output.contains("ended with 1"), "\(output)")
    let heroes = String(bucket.dropFirst(3)) + "/collections/heroes/records"
    let there = try await staying.send(.get, heroes).value["data"]?.array ?? []
    #expect(there.count == 42 && Set(there.map { $0["name"]?.string }).count == 42)
  }
}
