#if canImport(CCrypt)
  import CCrypt
#endif

/// Hashes passwords with the system's `crypt` (yescrypt, the default for logins on Debian).
///
/// A hash deliberately takes about 0.03 s and 16 MiB. At most two are computed at a time and eight
/// more wait, so that a burst of sign-ins occupies neither the machine nor all connections. On a
/// system whose `crypt` lacks yescrypt, nobody can sign up or sign in with a password. Tokens
/// issued by the process still work.
final class PasswordHasher: Sendable {
  static var isAvailable: Bool {
    #if canImport(CCrypt)
      true
    #else
      false
    #endif
  }

  /// The maximum length in bytes. `crypt` ignores anything past 511 (CRYPT_MAX_PASSPHRASE_SIZE).
  static let longest = 511
  static let shortest = 8

  private let random: @Sendable () -> UInt64
  /// The cost as defined by `crypt_gensalt`, or 0 for the system's default.
  private let cost: UInt
  private let line = Monitor((running: 0, waiting: 0))
  /// Compared with if there is no account, so that the answer takes just as long.
  private let decoy: String?

  init(cost: UInt, random: @escaping @Sendable () -> UInt64) {
    self.cost = cost
    self.random = random
    decoy = Self.setting(cost: cost, random: random)
  }

  private static let busy = APIFailure(
    429, "busy", "This server has as many passwords to check as it takes at a time.",
    headers: [HTTPHeader("Retry-After", "1")])

  /// Returns the problem with a new password, or `nil` if it is acceptable.
  static func problem(with password: String) -> String? {
    if password.unicodeScalars.contains("\0") { return "must not contain a null character" }
    if password.count < shortest { return "must have at least \(shortest) characters" }
    if password.utf8.count > longest { return "must have at most \(longest) bytes" }
    return nil
  }

  /// Returns the hash to store for a password.
  ///
  /// - Returns: `nil` if the system cannot hash it.
  /// - Throws: `APIFailure` with status 429 if too many hashes are being computed.
  func hash(_ password: String) throws(APIFailure) -> String? {
    guard let setting = Self.setting(cost: cost, random: random) else { return nil }
    return try crypt(password, setting)
  }

  /// Returns whether a password matches a hash. A `nil` hash means that there is no account, and
  /// takes just as long.
  ///
  /// - Throws: `APIFailure` with status 429 if too many hashes are being computed.
  func verify(_ password: String, hash: String?) throws(APIFailure) -> Bool {
    // Do not accept a longer password, or the part before a null character, in place of the whole.
    let isPossible = password.utf8.count <= Self.longest && !password.utf8.contains(0)
    guard let setting = hash ?? decoy,
      let result = try crypt(isPossible ? password : "", setting)
    else { return false }
    return Self.areEqual(result, hash ?? "") && hash != nil && isPossible
  }

  /// Compares in a time that does not depend on the position of the first difference.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
    }
    return difference == 0
  }

  private func crypt(_ password: String, _ setting: String) throws(APIFailure) -> String? {
    #if canImport(CCrypt)
      let isTaken = line.withLock { line in
        guard line.waiting < 8 else { return false }
        line.waiting += 1
        return true
      }
      guard isTaken else { throw Self.busy }
      line.wait { line -> Void? in
        guard line.running < 2 else { return nil }
        line.running += 1
        line.waiting -= 1
        return ()
      }
      defer { line.change { $0.running -= 1 } }
      let size = MemoryLayout<crypt_data>.size
      let data = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      defer {
        // Erase the password.
        data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        data.deallocate()
      }
      guard let result = crypt_rn(password, setting, data, Int32(size)) else { return nil }
      return String(cString: result)
    #else
      return nil
    #endif
  }

  private static func setting(cost: UInt, random: () -> UInt64) -> String? {
    #if canImport(CCrypt)
      var seed = (0..<4).map { _ in random() }
      var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
      let isMade = seed.withUnsafeMutableBytes { bytes in
        crypt_gensalt_rn(
          "$y$", cost, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(bytes.count), &output, Int32(output.count)) != nil
      }
      guard isMade else { return nil }
      return output.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    #else
      return nil
    #endif
  }
}
