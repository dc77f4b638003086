import Testing

@testable import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The index file, piece by piece")
struct ScanIndexOutputTests {
  private static let header = ScanIndex.Header(
    magic: ScanIndex.magic, version: 1, pairSize: 2, schemas: 3, sum: 0, sections: (4, 5, 6))

  /// Pieces of so many bytes each, in all fewer than a block, just one, and several.
  @Test(
    "is what was added, behind a header with its sum",
    arguments: [
      [], [0], [1], [31], [32, 1], [262_143], [262_144], [262_145], [262_100, 44, 262_144, 7],
      [1_000_003], [5, 700_000, 0, 33],
    ] as [[Int]])
  func pieces(_ counts: [Int]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index")
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var random = SplitMix64(seed: UInt64(counts.reduce(7, +)))
    var output = ScanIndexOutput(descriptor)
    var expected: [UInt8] = []
    for count in counts {
      let piece = (0..<count).map { _ in UInt8(random.below(256)) }
      piece.withUnsafeBytes { output.add($0) }
      expected += piece
    }
    let isWritten = output.finish(Self.header)
    #expect(isWritten)
    let bytes = try FileSystem.read(path)
    let size = MemoryLayout<ScanIndex.Header>.size
    #expect(bytes.count == size + expected.count)
    #expect(bytes.dropFirst(size).elementsEqual(expected))
    let read = try #require(ScanIndexBytes(path))
    let header = try #require(read.load(ScanIndex.Header.self, at: 0))
    #expect(header.magic == ScanIndex.magic)
    #expect(header.sections.2 == 6)
    #expect(header.sum == expected.withUnsafeBytes { xxHash64($0, seed: 0) })
    #expect(header.sum == read.sum(from: size))
  }

  @Test("tells that it could not be written")
  func notWritten() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "index")
    let descriptor = open(folder.path("index"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var output = ScanIndexOutput(descriptor)
    let isWritten = output.finish(Self.header)
    #expect(!isWritten)
  }
}
