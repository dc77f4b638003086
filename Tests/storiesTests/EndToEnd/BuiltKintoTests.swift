import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// The built program with a real Kinto, from an account to two libraries that hold the same.
@Suite(.inTurn, .withKinto) struct BuiltKintoTests {
  private static let script = """
    run() { echo "\\$ stories $*"; "$stories" "$@" 2>&1; echo "ended with $?"; }
    run init lib --server "$bucket"
    cd lib
    run sync
    echo "$password" | run sign-up --user "$user" --password-stdin
    echo "$password" | run sign-up --user "$user" --password-stdin
    run whoami
    run new hero Luna --age 7 --trait brave
    run sync pull
    run sync push --dry-run
    run sync push
    run status --remote
    run clone "$bucket" ../lib2
    sed -i 's/"age": 7/"age": 8/' ../lib2/heroes/luna.json
    run -C ../lib2 sync
    run sync
    grep age heroes/luna.json
    run doctor
    run generate avatar luna
    run media pull
    run usage
    run sign-out
    run sync
    echo "not the password" | run sign-in --user "$user" --password-stdin
    echo "$password" | run sign-in --user "$user" --password-stdin
    run sync
    run remote set embedded
    run sync
    run remote set "$bucket"
    run sync
    cat library.json
    """

  @Test func `from an account to two libraries, away and back`() async throws {
    let server = try KintoServer.shared()
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let (bucket, user) = (server.newBucket(), KintoServer.newName("ann"))
    let result = try program.shell(
      Self.script, ["bucket": bucket, "user": user, "password": KintoServer.password])
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_TRANSCRIPT"] {
      try result.output.write(toFile: path, atomically: true, encoding: .utf8)
    }
    for part in [
      "sign in first: stories sign-in", "Signed up to \(bucket) as \(user)",
      "already has an account", "\(user) at \(bucket)",
      "lacks the right “read” on the collection “heroes”, or its bucket does not exist",
      "Would send 1 hero", "Sent 1 hero in", "Everything is in sync (1 hero)",
      "Received 1 hero in", "\"age\": 8",
      "version 26", "api kinto", "up to 24 writes in a request", "capabilities",
      "readable and writable",
      "this server stores records and makes nothing", "Signed out of",
      "invalid user name or password",
      "Signed in to \(bucket) as \(user)", "Moved the library from \(bucket) to embedded",
      "Moved the library from embedded to \(bucket)", "already there",
      "\"account\": \"account:\(user)\"",
    ] {
      #expect(result.output.contains(part), "\(part): \(result.output)")
    }
    #expect(!result.output.contains(KintoServer.password))
    #expect(result.output.components(separatedBy: "stores records and makes nothing").count == 4)
    // Name and password are kept like a session: for their owner alone.
    let sessions = folder.path(".config/stories/sessions.json")
    #expect(try FileSystem.status(sessions)?.isSafeFromOthers == true)
  }

  private static let moving = """
    run() { "$stories" -C lib "$@" 2>&1 || echo "failed: $*"; }
    "$stories" init lib
    for name in Luna Ben Ada; do run new hero $name --age 7 --trait brave; done
    echo '{"title": "Night", "hero": "luna", "content": "…"}' >lib/stories/night.json
    run sync
    echo "$password" | run sign-in --user "$user" --password-stdin --server "$bucket"
    run remote set "$bucket"
    run sync
    sed -i 's/"age": 7/"age": 8/' lib/heroes/luna.json
    run rm heroes/ben
    run new hero Eve --trait kind
    run sync
    for server in embedded "$bucket" embedded "$bucket"; do
      run remote set "$server"
      run sync
      ls lib/heroes lib/stories
    done
    """

  @Test func `a library moves from the embedded server and back, with each record once`()
    async throws
  {
    let server = try KintoServer.shared()
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let bucket = server.newBucket()
    let result = try program.shell(
      Self.moving,
      ["bucket": bucket, "user": KintoServer.user, "password": KintoServer.password])
    #expect(!result.output.contains("failed: "), "\(result.output)")
    let files = "lib/heroes:\nada.json\neve.json\nluna.json\n\nlib/stories:\nnight.json\n"
    #expect(result.output.components(separatedBy: files).count == 5, "\(result.output)")
    let path = String(try ServerAddress(bucket).path.dropFirst(3))
    for (kind, count) in [("heroes", 3), ("stories", 1)] {
      let answer = try await server.send(.get, "\(path)/collections/\(kind)/records")
      #expect(answer.value["data"]?.array?.count == count, "\(kind)")
    }
  }

  @Test func `a token goes to the server that was named`() async throws {
    let server = try KintoServer.shared()
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["STORIES_TOKEN"] = "nobody's"
    let bucket = server.newBucket()
    let named = program
    let (first, second) = (
      try named.run("whoami", "--server", bucket),
      try named.run("sign-in", "--token-stdin", "--server", bucket, input: "nobody's\n")
    )
    for result in [first, second] {
      #expect(result.code == 5, "\(result.output)\(result.errors)")
      #expect(!result.errors.contains("nobody's"))
    }
  }

  // MARK: What the server does not have

  @Test(arguments: [
    ["generate", "story", "--hero", "luna"], ["generate", "story", "--hero", "luna", "--dry-run"],
    ["generate", "avatar", "luna"], ["generate", "audio", "night"],
    ["generate", "illustrations", "night"], ["media", "pull"], ["media", "pull", "--dry-run"],
    ["usage"],
  ])
  func `what needs a storyteller or media says which servers have them`(
    _ words: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    let (program, bucket) = try await signedIn(in: folder)
    try folder.write("{\"name\": \"Luna\", \"age\": 7, \"traits\": []}", to: "lib/heroes/luna.json")
    try folder.write(
      "{\"title\": \"Night\", \"hero\": \"luna\", \"content\": \"…\"}", to: "lib/stories/night.json"
    )
    let result = try program.run(["-C", "lib"] + words)
    #expect(result.code == 1 && result.output.isEmpty, "\(result.output)\(result.errors)")
    #expect(
      result.errors.contains(
        "this server stores records and makes nothing: no stories, pictures or narrations. The"
          + " embedded server, `stories serve` and the InfiniteStories service do\n"),
      "\(result.errors)")
    // Nothing was sent first.
    let path = String(try ServerAddress(bucket).path.dropFirst(3))
    #expect(try await KintoServer.shared().send(.get, path).status == 403)
  }

  @Test(arguments: [
    [
      "account_create_principals": "account:admin", "account_write_principals": "account:admin",
    ], ["readonly": "true"],
  ])
  func `an account cannot be made where the server lets nobody`(
    _ settings: [String: String]
  ) async throws {
    let server = try KintoServer(settings)
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let bucket = server.newBucket()
    let result = try program.run(
      "--server", bucket, "sign-up", "--user", "ann", "--password-stdin", input: "a password\n")
    #expect(result.code == 1, "\(result.errors)")
    #expect(
      result.errors.contains(
        "this server creates no accounts. Whoever runs it gives you a name and password (stories"
          + " sign-in --server \(bucket) --user NAME)"), "\(result.errors)")
  }

  @Test func `whoever may make no bucket is told by the first push`() async throws {
    let server = try KintoServer(["bucket_create_principals": "account:admin"])
    let folder = try TemporaryFolder()
    let (program, _) = try await signedIn(in: folder, to: server.newBucket())
    _ = try program.run("-C", "lib", "new", "hero", "Luna", "--trait", "brave")
    let push = try program.run("-C", "lib", "sync", "push")
    #expect(push.code == 1, "\(push.output)")
    #expect(
      push.errors.contains(
        "heroes/luna: the bucket does not exist or is not shared with this account, which may not"
          + " create it either (right “bucket:create”)"), "\(push.errors)")
  }

  @Test func `whoever may only read is told which right is missing`() async throws {
    let server = try KintoServer.shared()
    let (folder, otherFolder) = (try TemporaryFolder(), try TemporaryFolder())
    let (owner, bucket) = try await signedIn(in: folder)
    let reader = KintoServer.newName("eva")
    try await server.send(
      .put, "/accounts/\(reader)", ["data": ["password": .string(KintoServer.password)]], user: nil)
    _ = try owner.run("-C", "lib", "new", "hero", "Luna")
    #expect(try owner.run("-C", "lib", "sync").code == 0)
    try await server.send(
      .patch, String(try ServerAddress(bucket).path.dropFirst(3)),
      ["permissions": ["read": [.string("account:\(reader)")]]])
    let (other, _) = try await signedIn(in: otherFolder, reader, to: bucket)
    let pull = try other.run("-C", "lib", "sync", "pull")
    _ = try other.run("-C", "lib", "new", "hero", "Ada")
    let push = try other.run("-C", "lib", "sync")
    #expect(pull.output.contains("new  heroes/luna"), "\(pull.errors)")
    #expect(push.code == 1)
    #expect(
      push.errors.contains(
        "heroes/ada: this account lacks the right “record:create” on the collection “heroes”"),
      "\(push.errors)")
  }

  // MARK: Around it

  @Test func `git's credential helpers give the password and keep the session`() async throws {
    let bucket = try KintoServer.shared().newBucket()
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["STORIES_TOKEN_STORE"] = "git"
    program.environment["GIT_CONFIG_NOSYSTEM"] = "1"
    let kept = folder.path("kept")
    try folder.write("[credential]\n\thelper = store --file=\(kept)\n", to: ".gitconfig")
    let host = bucket.dropFirst("http://".count).prefix { $0 != "/" }
    let known = "http://\(KintoServer.user):once%20upon%20a%20time@\(host)\n"
    try folder.write(known, to: "kept")
    let named = program
    let result = try named.shell(
      """
      run() { echo "\\$ stories $*"; "$stories" "$@" 2>&1; echo "ended with $?"; }
      run init lib --server \(bucket)
      cd lib
      run sign-in --user nobody
      run sign-in --user \(KintoServer.user)
      run sync
      run sign-out
      run sync
      run sign-in --user \(KintoServer.user)
      """)
    let endings = result.output.split(separator: "\n").filter { $0.hasPrefix("ended with") }
    #expect(
      endings.compactMap { $0.split(separator: " ").last } == ["0", "2", "0", "0", "0", "5", "0"])
    #expect(result.output.contains("no terminal to ask for the password on"), "\(result.output)")
    #expect(result.output.contains("Signed in to \(bucket) as \(KintoServer.user)"))
    // The session is there beside the password, which stays where it was.
    let lines = try folder.read("kept").split(separator: "\n")
    #expect(lines.count == 2 && lines.contains { $0 == known.dropLast() })
    #expect(lines.contains { $0.hasPrefix("http://stories:") })
    #expect(!FileManager.default.fileExists(atPath: folder.path(".config/stories/sessions.json")))
  }

  @Test(.enabled(if: TLSFront.obstacle == nil, "https is not tried: something is missing"))
  func `behind a proxy, pages are followed at its address`() async throws {
    // A node tells its own address in `Next-Page`, which nobody can reach.
    let server = try KintoServer([
      "paginate_by": "3", "http_scheme": "http", "http_host": "node.invalid:1",
    ])
    let page = try await server.send(.get, "/accounts", user: nil)
    #expect(page.status < 500)
    let front = try TLSFront(forwardingTo: try ServerAddress(server.url).port)
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.launcher = front.trusting
    let bucket = front.url(.good) + "/v1/buckets/family"
    let named = program
    _ = try named.run("init", "a", "--server", bucket)
    let signIn = try named.run(
      "-C", "a", "sign-in", "--user", KintoServer.user, "--password-stdin",
      input: KintoServer.password + "\n")
    #expect(signIn.code == 0, "\(signIn.errors)")
    for place in 1...10 { _ = try named.run("-C", "a", "new", "hero", "Hero \(place)") }
    let push = try named.run("-C", "a", "sync")
    #expect(push.output.contains("Sent 10 heroes"), "\(push.errors)")
    let pull = try named.run("clone", bucket, "b")
    #expect(pull.output.contains("Received 10 heroes"), "\(pull.output)\(pull.errors)")
    let first = try await server.send(.get, "/buckets/family/collections/heroes/records")
    #expect(first.value["data"]?.array?.count == 3)
    withExtendedLifetime(folder) {}
  }

  /// A library `lib` of a bucket, and the program with an account signed in to it.
  private func signedIn(
    in folder: TemporaryFolder, _ user: String = KintoServer.user, to bucket: String? = nil
  ) async throws -> (BuiltProgram, bucket: String) {
    let program = try BuiltProgram(in: folder)
    let bucket = try bucket ?? KintoServer.shared().newBucket()
    _ = try program.run("init", "lib", "--server", bucket)
    let result = try program.run(
      "-C", "lib", "sign-in", "--user", user, "--password-stdin",
      input: KintoServer.password + "\n")
    #expect(result.code == 0, "\(result.errors)")
    return (program, bucket)
  }
}
