import TestSupport
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A loopback port that refuses every connection: it is taken, so that no other test gets it, but
/// nobody listens.
final class RefusingPort: Sendable {
  let port: Int
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { throw ScriptedServer.Failure(what: "no port is free") }
  }

  deinit { close(descriptor) }

  var url: String { "http://127.0.0.1:\(port)" }
}
