import JSONText
import StoryLibrary
import Testing

@testable import StorySync

@Suite struct SpoolTests {
  /// However large the disk is, a list does not fill it.
  @Test(
    arguments: [
      (free: 4_000, limit: 1_000), (free: 32 << 30, limit: 8 << 30),
      (free: 1 << 50, limit: 8 << 30),
    ] as [(free: UInt64, limit: UInt64)])
  func `takes a quarter of the free disk, and 8 GiB at most`(free: UInt64, limit: UInt64) throws {
    let world = try TestWorld()
    #expect(try Spool(try world.library("a").library, free: free).limit == limit)
  }

  @Test func `is full at its limit`() throws {
    let world = try TestWorld()
    let spool = try Spool(try world.library("a").library, free: 200)
    let record = try RemoteRecord(
      kind: .heroes,
      wire: [
        "id": "h", "name": "Luna", "age": 7, "traits": ["brave"],
        "updatedAt": "2026-11-20T10:00:00.000Z",
      ])
    #expect(!spool.isFull)
    _ = try spool.append([record])
    #expect(spool.isFull)
  }
}
