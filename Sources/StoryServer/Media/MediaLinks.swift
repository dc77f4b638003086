import StoryLibrary

/// Writes and checks media URLs for the answer to one request.
///
/// A record is stored with a path on this server, such as `/api/media/0d3f.png`. Depending on the
/// dialect, clients see that path, or a signed absolute URL that is valid for a limited time. A
/// signed URL is different each time it is written.
struct MediaLinks: Sendable {
  /// The origin that the client used, such as `http://127.0.0.1:8420`.
  let origin: String
  let now: Int64
  let lifetime: Int64
  /// The key for signatures. It is lost with the process, and all signed URLs become invalid.
  let key: Digest
  let random: @Sendable () -> UInt64

  /// Returns the signed absolute URL of a path:
  /// `…?expires=<milliseconds>&nonce=<hex>&signature=<hex>`.
  func signed(_ path: String) -> String {
    let end = String(now + lifetime)
    let nonce = RandomKey.make(words: 1, random: random)
    return "\(origin)\(path)?expires=\(end)&nonce=\(nonce)"
      + "&signature=\(signature(path, end, nonce))"
  }

  /// Returns whether a target has a signature of this server that has not expired.
  func admits(_ target: HTTPTarget) -> Bool {
    func value(_ name: String) -> String? { target.parameters.first { $0.name == name }?.value }
    guard let end = value("expires"), let nonce = value("nonce"), let found = value("signature"),
      let moment = Int64(end), now < moment
    else { return false }
    return PasswordHasher.areEqual(found, signature(target.path, end, nonce))
  }

  /// Returns the HMAC (RFC 2104) with SHA-256, in hexadecimal digits.
  private func signature(_ path: String, _ end: String, _ nonce: String) -> String {
    let key = Array(key.text.utf8)
    func pad(_ byte: UInt8) -> [UInt8] {
      (0..<64).map { $0 < key.count ? key[$0] ^ byte : byte }
    }
    let inner = SHA256.digest(pad(0x36) + Array("\(path)\n\(end)\n\(nonce)".utf8))
    return SHA256.digest(pad(0x5C) + Array(inner.text.utf8)).text
  }
}
