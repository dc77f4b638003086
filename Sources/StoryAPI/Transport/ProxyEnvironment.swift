import Foundation

/// The proxies in the environment, which libcurl uses on Linux.
public enum ProxyEnvironment {
  /// Exempts loopback addresses from proxies: a proxy elsewhere cannot reach them, and must not see
  /// such unencrypted requests with their token.
  ///
  /// This changes `no_proxy` for this process and its children, so a program must call it at its
  /// start, before there are other threads.
  public static func exemptLoopback() {
    let value = getenv("no_proxy") ?? getenv("NO_PROXY")
    let exempt = exempting(value.map { String(cString: $0) } ?? "")
    setenv("no_proxy", exempt, 1)
    setenv("NO_PROXY", exempt, 1)
  }

  static func exempting(_ list: String) -> String {
    var names = list.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    if names.contains("*") { return "*" }
    for name in ["localhost", "127.0.0.1", "::1", "[::1]"] where !names.contains(name) {
      names.append(name)
    }
    return names.joined(separator: ",")
  }
}
