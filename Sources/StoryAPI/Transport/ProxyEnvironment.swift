import Foundation

/// The proxies that the environment names, which libcurl obeys on Linux.
public enum ProxyEnvironment {
  /// Exempts this machine from them: a proxy elsewhere cannot reach its loopback addresses, and a
  /// request to them, in the clear and with a token, is none of its business.
  ///
  /// It changes `no_proxy` for this process and its children, so a program calls it at its start,
  /// before there are other threads.
  public static func exemptLoopback() {
    let value = getenv("no_proxy") ?? getenv("NO_PROXY")
    let exempt = exempting(value.map { String(cString: $0) } ?? "")
    setenv("no_proxy", exempt, 1)
    setenv("NO_PROXY", exempt, 1)
  }

  /// The list with the names of this machine added where they are missing.
  static func exempting(_ list: String) -> String {
    var names = list.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    if names.contains("*") { return "*" }
    for name in ["localhost", "127.0.0.1", "::1", "[::1]"] where !names.contains(name) {
      names.append(name)
    }
    return names.joined(separator: ",")
  }
}
