#if canImport(CCrypt)
  import CCrypt
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Hashes passwords with the system's `crypt` (yescrypt, the default of Debian's own logins).
///
/// A hash takes about 0.03 s and 16 MiB on purpose; at most two are made at a time and eight more
/// wait, so that a burst of sign-ins takes neither the machine nor all connections. Where the system has no `crypt` with yescrypt nobody can
/// sign up or in with a password; tokens that are issued in the process still work.
final class PasswordHasher: Sendable {
  /// Whether the system can hash passwords.
  static var isAvailable: Bool {
    #if canImport(CCrypt)
      true
    #else
      false
    #endif
  }

  /// `crypt` takes 511 bytes (CRYPT_MAX_PASSPHRASE_SIZE), and what it does not see must not count.
  static let longest = 511
  /// The fewest characters of a password.
  static let shortest = 8

  private let random: @Sendable () -> UInt64
  /// The cost as `crypt_gensalt` takes it, 0 for the system's default.
  private let cost: UInt
  private let line = Monitor(Line())
  /// Compared with where there is no account, so that the answer takes as long as for one.
  private let decoy: String?

  init(cost: UInt, random: @escaping @Sendable () -> UInt64) {
    self.cost = cost
    self.random = random
    decoy = Self.setting(cost: cost, random: random)
  }

  private struct Line {
    var running = 0
    var waiting = 0
  }

  /// As many passwords are being hashed, and wait for it, as may be.
  struct Busy: Error {}

  /// What is wrong with a new password; `nil` where nothing is.
  static func problem(with password: String) -> String? {
    if password.unicodeScalars.contains("\0") { return "must not contain a null character" }
    if password.count < shortest { return "must have at least \(shortest) characters" }
    if password.utf8.count > longest { return "must have at most \(longest) bytes" }
    return nil
  }

  /// The hash to keep for a password.
  ///
  /// - Returns: `nil` where the system cannot make one.
  /// - Throws: `Busy`.
  func hash(_ password: String) throws(Busy) -> String? {
    guard let setting = Self.setting(cost: cost, random: random) else { return nil }
    return try crypt(password, setting)
  }

  /// Whether a password is the one of a hash; `nil` stands for no account and takes as long.
  ///
  /// - Throws: `Busy`.
  func verify(_ password: String, hash: String?) throws(Busy) -> Bool {
    // A longer one, or the part before a null character, must not be taken for the whole.
    let isPossible = password.utf8.count <= Self.longest && !password.utf8.contains(0)
    guard let setting = hash ?? decoy,
      let result = try crypt(isPossible ? password : "", setting)
    else { return false }
    return Self.areEqual(result, hash ?? "") && hash != nil && isPossible
  }

  /// Compares without telling by its duration where the first difference is.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
    }
    return difference == 0
  }

  private func crypt(_ password: String, _ setting: String) throws(Busy) -> String? {
    #if canImport(CCrypt)
      let isTaken = line.withLock { line in
        guard line.waiting < 8 else { return false }
        line.waiting += 1
        return true
      }
      guard isTaken else { throw Busy() }
      line.wait { line -> Void? in
        guard line.running < 2 else { return nil }
        line.running += 1
        line.waiting -= 1
        return ()
      }
      defer { line.change { $0.running -= 1 } }
      let size = MemoryLayout<crypt_data>.size
      let data = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      memset(data, 0, size)
      defer {
        // It holds the password.
        memset(data, 0, size)
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
