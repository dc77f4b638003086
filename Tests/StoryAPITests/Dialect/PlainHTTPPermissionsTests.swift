import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite struct PlainHTTPPermissionsTests {
  @Test func allowsTheOriginThatWasNamedAndNoOther() throws {
    let folder = try TemporaryFolder()
    let permissions = PlainHTTPPermissions(folder: folder.path + "/stories")
    #expect(permissions.origins.isEmpty)
    #expect(throws: ServerAddress.Problem.plainHTTP(origin: "http://nas:8080")) {
      try permissions.address("http://nas:8080")
    }
    try permissions.allow(ServerAddress("http://NAS:8080/", allowsPlainHTTP: true))
    try permissions.allow(ServerAddress("http://nas:8080", allowsPlainHTTP: true))
    #expect(permissions.origins == ["http://nas:8080"])
    #expect(try permissions.address("http://nas:8080").text == "http://nas:8080")
    #expect(throws: ServerAddress.Problem.self) { try permissions.address("http://nas:8081") }
    #expect(throws: ServerAddress.Problem.self) {
      try permissions.address("http://nas.example:8080")
    }
    #expect(try permissions.address("https://other").isSecure)
    let path = folder.path + "/stories/plain-http.json"
    #expect(try FileSystem.status(path)?.mode == 0o600)
  }

  @Test func aFileThatOthersCanChangeAllowsNothing() throws {
    let folder = try TemporaryFolder()
    let permissions = PlainHTTPPermissions(folder: folder.path)
    try permissions.allow(ServerAddress("http://nas:8080", allowsPlainHTTP: true))
    let path = folder.path + "/plain-http.json"
    let bytes = try FileSystem.read(path)
    try FileSystem.remove(path)
    try AtomicFile.write(bytes, to: path, mode: 0o666)
    #expect(permissions.origins.isEmpty)
    try AtomicFile.write(Array("{".utf8), to: path, mode: 0o600)
    #expect(permissions.origins.isEmpty)
  }
}
