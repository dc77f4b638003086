import Foundation

/// A port of this machine that is taken, though nobody listens there: whoever connects is refused.
///
/// The port of a server that has stopped is free, and the next server's that some other test starts.
package final class ClosedPort: Sendable {
  private let descriptor: Int32

  /// It cannot be had.
  package struct Failure: Error { package var code: Int32 }

  /// Takes the port that a server had until now.
  package init(_ port: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // The server's connections may not have been forgotten yet. Nobody else is to have the port too.
    allowReuse(1)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var code: Int32 = 0
    // A program that is being started has the server's socket too, until it has become that program.
    waitUntil {
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      code = result == 0 ? 0 : errno
      return code != EADDRINUSE
    }
    guard code == 0 else { throw Failure(code: code) }
    allowReuse(0)
  }

  deinit { close(descriptor) }

  private func allowReuse(_ value: Int32) {
    var value = value
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
