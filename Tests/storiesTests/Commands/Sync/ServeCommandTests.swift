import Synchronization
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ServeCommandTests {
  /// Runs `serve` until it has printed its first line.
  private func serve(
    _ folder: TemporaryFolder, _ arguments: [String], _ networkAddresses: [String] = []
  ) async -> CommandRun {
    var setting = CommandSetting(folder)
    setting.networkAddresses = networkAddresses
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    setting.signals = Signals { signals }
    setting.observe = { _ in sender.yield(2) }
    return await setting.run(["serve"] + arguments)
  }

  @Test func printsItsAddressFirst() async throws {
    let folder = try TemporaryFolder()
    let result = await serve(folder, ["--port", "0", "--data", "here", "--api", "v0"])
    #expect(result.code == .done)
    #expect(result.output.hasPrefix("http://127.0.0.1:"))
    #expect(result.lines.count == 2)
    #expect(result.errors.hasPrefix("Data: here\n"))
    #expect(folder.exists("here"))
  }

  @Test func beyondThisMachineItSaysThatAnyoneCanRead() async throws {
    let folder = try TemporaryFolder()
    let result = await serve(folder, ["--port=0", "--host=0.0.0.0", "--data=here"])
    #expect(result.errors.contains("Note: this speaks plain http"))
  }

  @Test func onAllNetworksItSaysWhatToTypeElsewhere() async throws {
    let folder = try TemporaryFolder()
    let result = await serve(
      folder, ["--port=0", "--host=0.0.0.0", "--data=here"], ["192.0.2.7", "198.51.100.7"])
    let url = try #require(result.lines.first)
    #expect(url.hasPrefix("http://192.0.2.7:"))
    #expect(result.errors.contains("Also http://198.51.100.7:"))
    #expect(
      result.errors.contains("stories clone \(url) my-library --allow-plain-http\n"))
    #expect(result.errors.contains("stories sign-up --server \(url) --allow-plain-http\n"))
  }

  /// 192.0.2.0/24 is for documentation (RFC 5737). Without --port, another port is no help.
  @Test func anAddressOfAnotherMachineIsAnError() async throws {
    let folder = try TemporaryFolder()
    let run = await serve(folder, ["--host=192.0.2.1", "--data=d"])
    #expect(run.code == .failed)
    #expect(!run.errors.contains("is taken"))
    #expect(run.errors.hasSuffix(Self.hostHint), "\(run.errors)")
  }

  private static let hostHint =
    "Hint: check --host: 127.0.0.1 is this machine alone, 0.0.0.0 is all of its networks\n"

  /// .invalid is a domain without names (RFC 6761). Another port is no help.
  @Test func aHostWithoutAnAddressIsAnError() async throws {
    let folder = try TemporaryFolder()
    let run = await serve(folder, ["--host=stories.invalid", "--port=0", "--data=d"])
    #expect(run.code == .failed)
    #expect(run.errors.hasSuffix(Self.hostHint), "\(run.errors)")
  }

  @Test func aPortThatIsTakenIsAnError() async throws {
    let folder = try TemporaryFolder()
    let port = Mutex("")
    var setting = CommandSetting(folder)
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let (started, starter) = AsyncStream.makeStream(of: Void.self)
    setting.signals = Signals { signals }
    setting.observe = { line in
      guard line.hasPrefix("http") else { return }
      port.withLock { $0 = String(line.split(separator: ":")[2].filter(\.isNumber)) }
      starter.yield()
    }
    let first = setting
    async let running = first.run("serve", "--port", "0", "--data", "a")
    for await _ in started { break }
    let second = await CommandSetting(folder).run(
      "serve", "--port", port.withLock { $0 }, "--data", "b")
    sender.yield(2)
    #expect(second.code == .failed)
    #expect(second.errors.contains("cannot listen on 127.0.0.1"))
    #expect(second.errors.contains("Hint: use another port, or a free one"))
    #expect(await running.code == .done)
  }

  @Test func theDataFolderHasOneServer() async throws {
    let folder = try TemporaryFolder()
    var setting = CommandSetting(folder)
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let (started, starter) = AsyncStream.makeStream(of: Void.self)
    setting.signals = Signals { signals }
    setting.observe = { _ in starter.yield() }
    let first = setting
    async let running = first.run("serve", "--port", "0", "--data", "a")
    for await _ in started { break }
    let second = await CommandSetting(folder).run("serve", "--port", "0", "--data", "a")
    sender.yield(2)
    #expect(second.code == .stopped)
    #expect(await running.code == .done)
  }

  @Test(arguments: ["x", "-1", "65536"])
  func portsAreNumbers(port: String) async throws {
    let folder = try TemporaryFolder()
    let result = await CommandSetting(folder).run("serve", "--port=\(port)")
    #expect(result.code == .wrongUsage)
    #expect(result.errors.contains("--port must be a number from 0 to 65535"))
  }

  @Test func dataLiesWithTheUsersOwn() async throws {
    let folder = try TemporaryFolder()
    var setting = CommandSetting(folder)
    #expect(await setting.run("serve", "--port", "0").code == .wrongUsage)
    setting.environment = ["HOME": folder.path("home")]
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    setting.signals = Signals { signals }
    setting.observe = { _ in sender.yield(15) }
    #expect(await setting.run("serve", "--port", "0").code == .done)
    #expect(folder.exists("home/.local/share/stories/server"))
  }
}
