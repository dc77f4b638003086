import Foundation
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
    let result = try await onThread {
      try program.shell(
        Self.script, ["bucket": bucket, "user": user, "password": KintoServer.password])
    }
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_TRANSCRIPT"] {
      try result.output.write(toFile: path, atomically: true, encoding: .utf8)
    }
    for part in [
      "Sign in first: stories sign-in", "Signed up to \(bucket) as \(user)",
      "already has an account", "\(user) at \(bucket)",
      "lacks the right “read” on the collection “heroes”, or its bucket does not exist",
      "Would send 1 hero", "Sent 1 hero in", "Everything is in sync (1 hero)",
      "Received 1 hero in", "\"age\": 8",
      "version 26", "api kinto", "up to 25 writes in a request", "capabilities",
      "This server stores records and makes nothing", "Signed out of", "Invalid email or password",
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

  @Test func `a token goes to the server that was named`() async throws {
    let server = try KintoServer.shared()
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["STORIES_TOKEN"] = "nobody's"
    let bucket = server.newBucket()
    let named = program
    let (first, second) = try await onThread {
      (
        try named.run("whoami", "--server", bucket),
        try named.run("sign-in", "--token-stdin", "--server", bucket, input: "nobody's\n")
      )
    }
    for result in [first, second] {
      #expect(result.code == 5, "\(result.output)\(result.errors)")
      #expect(!result.errors.contains("nobody's"))
    }
  }
}
