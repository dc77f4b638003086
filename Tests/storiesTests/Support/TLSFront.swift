import Foundation
import TestSupport

/// TLS in front of a server of this machine, with certificates of its own making: a good one, one of
/// another name and one that has expired, all by one authority that nobody trusts by itself.
final class TLSFront {
  enum Certificate: Int, CaseIterable {
    case good, otherName, expired
  }

  struct Failure: Error { var what: String }

  /// The system's certificates with the authority's own.
  let bundle: String
  private var ports: [String] = []
  private let folder: TemporaryFolder
  private let program: RunningProgram

  /// Where the system keeps the certificates that it trusts; programs on Debian look there.
  static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

  /// What is missing to run a program that trusts the authority; `nil` where nothing is.
  static let obstacle: String? = {
    guard FileManager.default.fileExists(atPath: systemBundle) else { return systemBundle }
    let needed = [
      ("openssl", "openssl version"), ("python3 with ssl", "python3 -c 'import ssl'"),
      (
        "the right to bind a file in a mount namespace (unshare -m)",
        "unshare -m mount --bind \(systemBundle) \(systemBundle)"
      ),
    ]
    return needed.first { (try? shell($0.1)) == nil }?.0
  }()

  init(forwardingTo port: Int) throws {
    folder = try TemporaryFolder()
    bundle = folder.path("bundle.pem")
    try Self.shell(Self.makingCertificates, in: folder.path)
    try folder.write(Self.forwarder, to: "front.py")
    let words =
      ["/usr/bin/env", "python3", "front.py", "\(port)"]
      + ["good", "other", "expired"].flatMap { ["\($0).pem", "\($0).key"] }
    program = try RunningProgram(ProgramStart(words: words, folder: folder.path))
    guard let line = program.firstLine() else { throw Failure(what: program.wait().errors) }
    ports = line.split(separator: " ").map(String.init)
  }

  deinit { program.signal(SIGKILL) }

  /// The address under which one of the certificates is shown.
  func url(_ certificate: Certificate) -> String {
    "https://localhost:\(ports[certificate.rawValue])"
  }

  /// The words in front of a program that make it trust the authority, and no other program.
  var trusting: [String] {
    [
      "/usr/bin/env", "unshare", "-m", "sh", "-c",
      "mount --bind '\(bundle)' \(Self.systemBundle) && exec \"$0\" \"$@\"",
    ]
  }

  @discardableResult
  private static func shell(_ script: String, in folder: String = "/") throws -> String {
    let running = try RunningProgram(
      ProgramStart(words: ["/bin/sh", "-c", "set -e\n" + script], folder: folder))
    running.send("")
    let result = running.wait()
    guard result.code == 0 else { throw Failure(what: result.errors) }
    return result.output
  }

  private static let makingCertificates = """
    key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    openssl req -x509 $key -days 2 -subj '/CN=Test authority' -keyout ca.key -out ca.pem
    make() {
      openssl req $key -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
      printf 'subjectAltName=%s\\n' "$2" > "$1.ext"
      openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" \
        -extfile "$1.ext" -out "$1.pem"
    }
    make good DNS:localhost 2
    make other DNS:other.example 2
    make expired DNS:localhost -1
    cat \(systemBundle) ca.pem > bundle.pem
    """

  /// Passes bytes on; one port for each certificate; it prints them.
  private static let forwarder = """
    import socket, ssl, sys, threading

    upstream = int(sys.argv[1])

    def pipe(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def serve(connection, context):
        try:
            front = context.wrap_socket(connection, server_side=True)
        except OSError:
            return
        back = socket.create_connection(("127.0.0.1", upstream))
        threading.Thread(target=pipe, args=(front, back), daemon=True).start()
        pipe(back, front)

    def accept(listener, context):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    ports = []
    for certificate, key in zip(sys.argv[2::2], sys.argv[3::2]):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listener = socket.create_server(("127.0.0.1", 0))
        ports.append(listener.getsockname()[1])
        threading.Thread(target=accept, args=(listener, context), daemon=True).start()
    print(*ports, flush=True)
    sys.stdin.read()
    """
}
