import TestSupport
import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The library's lock")
struct LibraryLockTests {
  @Test("one holder at a time, who is named")
  func exclusive() throws {
    let test = try TestLibrary()
    do {
      let lock = try LibraryLock(test.library)
      let error = #expect(throws: LibraryError.self) { try LibraryLock(test.library) }
      guard case .locked(let holder)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(holder.hasPrefix("process \(getpid()) on "))
      withExtendedLifetime(lock) {}
    }
    let again = try LibraryLock(test.library)
    withExtendedLifetime(again) {}
  }

  @Test("libraries do not lock each other")
  func separate() throws {
    let (one, other) = (try TestLibrary(), try TestLibrary())
    let lock = try LibraryLock(one.library)
    #expect(throws: Never.self) { try LibraryLock(other.library) }
    withExtendedLifetime(lock) {}
  }

  @Test("another process holds it until it dies", .enabled(if: FileSystem.exists("/usr/bin/flock")))
  func otherProcess() throws {
    let test = try TestLibrary()
    try test.library.prepareStateFolder()
    let path = test.library.statePath("lock").text
    let arguments = ["flock", "-F", "-x", path, "sleep", "600"]
    var copies: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    copies.append(nil)
    defer { for copy in copies { free(copy) } }
    var child: pid_t = 0
    try #require(posix_spawn(&child, "/usr/bin/flock", nil, nil, copies, nil) == 0)
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    // Until the child has it; a lock that this takes is given back at once.
    var holder: String?
    waitUntil {
      do {
        _ = try LibraryLock(test.library)
        return false
      } catch LibraryError.locked(let other) {
        holder = other
        return true
      } catch {
        return true
      }
    }
    #expect(holder == "another process", "the child says nothing of itself")
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    let lock = try LibraryLock(test.library)
    withExtendedLifetime(lock) {}
  }

  @Test("a link in the lock's place is not followed")
  func link() throws {
    let test = try TestLibrary()
    try test.folder.write("precious", to: "target")
    try test.folder.link("library/.stories/lock", to: "../../target")
    #expect(throws: LibraryError.self) { try LibraryLock(test.library) }
    #expect(try test.folder.read("target") == "precious")
  }
}
