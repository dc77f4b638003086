import Foundation
import JSONText
import StoryServer
import Synchronization
import TestSupport
import Testing

@Suite struct LifeTests {
  #if canImport(Glibc)
    @Test func startsAndStopsWithoutLeavingAnythingBehind() throws {
      let folder = try TemporaryFolder()
      let rounds = 50
      for round in 0..<rounds {
        let server = try TestServer(folder: folder)
        let client = try server.client()
        _ = try client.createHero("Hero \(round)")
        server.server.stop()
        #expect(throws: (any Error).self) { try client.send("GET", "/api/health") }
      }
      // Descriptors of the whole process say nothing: other tests open and close theirs meanwhile.
      let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(links.filter { $0.hasPrefix(folder.path) } == [])
      let server = try TestServer(folder: folder)
      let page = try server.client().send("GET", "/api/heroes")
      #expect(page.json?["pagination"]?["total"] == .number(JSONNumber(rounds)))
    }
  #endif

  @Test func finishesRequestsUnderWay() throws {
    let server = try TestServer()
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    server.server.addFault(
      FaultRule(
        .before { _ in
          entered.signal()
          leave.wait()
        }, method: "POST"))
    let client = try server.client()
    let idle = try server.stranger()
    #expect(try idle.send("GET", "/api/health").status == 200)
    client.connection.send(client.request("POST", "/api/heroes", TestClient.hero("Luna")))
    entered.wait()
    let stopped = DispatchSemaphore(value: 0)
    let port = server.server.port
    Thread.detachNewThread {
      server.server.stop()
      stopped.signal()
    }
    #expect(try idle.connection.isClosed(), "an idle connection is closed at once")
    leave.signal()
    let response = try client.connection.receive()
    #expect(response.status == 201)
    #expect(response["connection"] == "close")
    stopped.wait()
    let gone = try RefusingPort(port)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    withExtendedLifetime(gone) {}
  }

  @Test func cutsOffRequestsThatTakeTooLong() throws {
    let server = try TestServer { $0.limits.graceMilliseconds = 20 }
    let client = try server.client()
    client.connection.send(
      client.request(
        "POST", "/api/heroes", headers: ["Content-Length": "9", "Expect": "100-continue"]))
    #expect(try client.connection.receive().status == 100)
    server.server.stop()
    #expect(throws: RawClient.Failure.closed(after: [])) { try client.connection.receive() }
  }

  @Test func refusesWhatAStoppedServerCannotDo() throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(folder: folder)
    _ = try server.client().createHero("Luna")
    #expect(throws: StoryServerError.alreadyStarted) { try server.server.start() }
    server.server.stop()
    server.server.stop()
    #expect(throws: StoryServerError.stopped) { try server.server.start() }
    #expect(throws: StoryServerError.stopped) { try server.server.issueToken(email: "new@x") }
    #expect(try server.server.records(.heroes, of: TestServer.email).count == 1)
    let answer = try server.server.perform(
      "POST", "/api/heroes", body: TestClient.hero("Max"), as: TestServer.email)
    #expect(answer.status == 500)
  }

  @Test func stopsWhenItIsLetGo() throws {
    var server: StoryServer? = try StoryServer(options: ServerOptions())
    try server?.start()
    let port = try #require(server?.port)
    let client = try RawClient(port: port)
    server = nil
    #expect(try client.isClosed())
    let gone = try RefusingPort(port)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    withExtendedLifetime(gone) {}
  }

  @Test func tellsItsURL() throws {
    let server = try TestServer()
    #expect(server.server.url == "http://127.0.0.1:\(server.server.port)")
    #expect(server.server.port > 0)
    var options = ServerOptions()
    options.host = "::1"
    options.port = 8080
    #expect(try StoryServer(options: options).url == "http://[::1]:8080")
  }

  @Test func saysWhyItCannotListen() throws {
    let server = try TestServer()
    var options = ServerOptions()
    options.port = server.server.port
    let second = try StoryServer(options: options)
    #expect {
      try second.start()
    } throws: { error in
      guard case .cannotListen("127.0.0.1", options.port, let reason) = error as? StoryServerError
      else { return false }
      return reason.contains("in use")
    }
    options.host = "host.invalid"
    let third = try StoryServer(options: options)
    #expect(throws: StoryServerError.self) { try third.start() }
  }

  @Test func manyConnectionsWriteAtOnceAndNothingIsLost() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder) { $0.durability = .flush }
    let (threads, each) = (16, 25)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for thread in 0..<threads {
      let client = try #require(try server?.client())
      nonisolated(unsafe) let own = client
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          var hero = try own.createHero("\(thread)/0")
          for number in 1..<each {
            hero = try own.createHero("\(thread)/\(number)")
            let change = try own.send(
              "PATCH", "/api/heroes/\(hero.id)", ["age": 9],
              headers: ["If-Match": "\"\(hero.updatedAt)\""])
            if change.status != 200 { failures.withLock { $0.append(change.text) } }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
    let before = try #require(try server?.server.records(.heroes, of: TestServer.email))
    #expect(before.count == threads * each)
    let places = before.map { "\($0.value?.updatedAt ?? "") \($0.id)" }
    #expect(places == places.sorted())
    #expect(Set(before.compactMap { $0.value?["name"]?.string }).count == threads * each)
    server = nil
    let again = try TestServer(folder: folder)
    #expect(try again.server.records(.heroes, of: TestServer.email) == before)
  }
}
