import Foundation

/// A loopback port that refuses every connection: it is taken, so that no other test gets it, but
/// nobody listens.
package final class RefusingPort: Sendable {
  package let port: Int
  private let descriptor: Int32

  /// Takes any port, or the one that a server had until now: that of one that has stopped is free, and
  /// the next server's that some other test starts.
  package init(_ port: Int = 0) throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // The server's connections may not have been forgotten yet. Nobody else is to have the port too.
    func allowReuse(_ value: Int32) {
      var value = value
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    allowReuse(1)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var isBound = false
    // A program that is being started has the server's socket too, until it has become that program.
    waitUntil {
      isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
      }
      return isBound || errno != EADDRINUSE
    }
    allowReuse(0)
    self.descriptor = descriptor
    self.port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { throw ScriptedServer.Failure(what: "port \(port) is not free") }
  }

  deinit { close(descriptor) }

  package var url: String { "http://127.0.0.1:\(port)" }
}
