import StoryLibrary
import StorySync
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the libraries of a test are scanned: with how many threads, and what index they find.
///
/// No result of any test depends on it. `STORIES_TEST_WORKERS` (a number) and `STORIES_TEST_INDEX`
/// (one of the cases of ``Index``) set it for a whole run.
struct ScanVariant: Sendable, CustomTestStringConvertible {
  /// What a sync finds under `.stories/index`.
  enum Index: String, Sendable, CaseIterable {
    /// What the scan before it left.
    case warm
    /// Nothing.
    case cold
    /// The first one that there ever was.
    case stale
    /// What the scan before it left, with a byte changed.
    case damaged
    /// Nobody looks.
    case unused
  }

  var workers = 2
  var index = Index.warm

  @TaskLocal static var current = ScanVariant().withEnvironment

  /// One of all, by chance; what the environment sets stays.
  static func random(_ random: inout some RandomNumberGenerator) -> ScanVariant {
    let workers = [1, 2, 8].randomElement(using: &random) ?? 1
    return ScanVariant(
      workers: workers, index: Index.allCases.randomElement(using: &random) ?? .warm
    )
    .withEnvironment
  }

  private var withEnvironment: ScanVariant {
    func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    var variant = self
    if let workers = setting("STORIES_TEST_WORKERS").flatMap({ Int($0) }) {
      variant.workers = workers
    }
    if let index = setting("STORIES_TEST_INDEX").flatMap({ Index(rawValue: $0) }) {
      variant.index = index
    }
    return variant
  }

  var testDescription: String { "\(workers) workers, index \(index.rawValue)" }

  /// Sets up a scanner, and the index that it will find.
  func prepare(_ scanner: inout Scanner) throws {
    scanner.workers = workers
    scanner.usesIndex = index != .unused
    let path = scanner.library.statePath("index")
    let first = scanner.library.statePath("index-of-the-first-scan")
    guard FileSystem.exists(path) else { return }
    switch index {
    case .warm, .unused: break
    case .cold: try FileSystem.remove(path)
    case .stale:
      if !FileSystem.exists(first) { try AtomicFile.write(FileSystem.read(path), to: first) }
      try AtomicFile.write(FileSystem.read(first), to: path)
    case .damaged:
      var bytes = try FileSystem.read(path)
      bytes[bytes.count * 2 / 3] ^= 0x10
      try AtomicFile.write(bytes, to: path)
    }
  }
}
