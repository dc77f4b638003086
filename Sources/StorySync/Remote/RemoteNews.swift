import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The records of one kind that are new on a server or changed there, by id.
///
/// A server may have very many of them, so their texts lie one behind the other in two buffers: about
/// 130 bytes a record. Any text comes out as it went in.
struct RemoteNews: Sendable {
  /// What is kept of a record beside its id and its texts.
  private struct Row: BitwiseCopyable {
    /// Where its texts begin: the version, then the moment it was made.
    var start = 0
    /// Where it lies in the spool.
    var offset: UInt64 = 0
    var length: UInt32 = 0
    /// The bytes of the two texts. A record of the spool is below 4 GiB, and so are its texts.
    var versionLength: UInt32 = 0
    var creationLength: UInt32 = 0
    var keepsVersion = false
    var hasPictures = false
    /// Whether it is news still; the row stays where it is no longer.
    var isNews = false

    var version: Range<Int> { start..<start + Int(versionLength) }
    var creation: Range<Int> { version.upperBound..<version.upperBound + Int(creationLength) }
  }

  private var rows = IDMap<Row>()
  private var texts: [UInt8] = []
  /// How many records there are.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Whether there is news of the record with an id.
  func contains(_ id: String) -> Bool { rows.place(of: id).map { rows[$0].isNews } ?? false }

  /// The news of the record with an id; `nil` where there is none.
  subscript(id: String) -> RemoteState.Entry? {
    rows.place(of: id).flatMap { rows[$0].isNews ? entry(at: $0) : nil }
  }

  /// Notes news of a record, in place of what there was.
  mutating func set(_ entry: RemoteState.Entry) {
    let place = rows.place(of: entry.id, orAdd: Row())
    var row = rows[place]
    if !row.isNews { count += 1 }
    let (version, creation) = (entry.updatedAt.utf8, entry.createdAt.utf8)
    let had = row.creation.upperBound - row.start
    row.versionLength = UInt32(version.count)
    row.creationLength = UInt32(creation.count)
    if version.count + creation.count <= had {
      // Dates have one length, so that a record that comes again takes no more room.
      texts.replaceSubrange(row.version, with: version)
      texts.replaceSubrange(row.creation, with: creation)
    } else {
      row.start = texts.count
      texts.append(contentsOf: version)
      texts.append(contentsOf: creation)
    }
    row.offset = entry.location.offset
    row.length = entry.location.length
    row.keepsVersion = entry.keepsVersion
    row.hasPictures = entry.hasPictures
    row.isNews = true
    rows[place] = row
  }

  /// Forgets the news of a record, where there is any.
  mutating func remove(_ id: String) {
    guard let place = rows.place(of: id), rows[place].isNews else { return }
    rows[place].isNews = false
    count -= 1
  }

  // MARK: By place

  /// The news at a place; see ``places(by:where:)``.
  func entry(at place: Int) -> RemoteState.Entry {
    let row = rows[place]
    return RemoteState.Entry(
      id: rows.id(at: place),
      updatedAt: String(decoding: texts[row.version], as: UTF8.self),
      createdAt: String(decoding: texts[row.creation], as: UTF8.self),
      location: Spool.Location(offset: row.offset, length: row.length),
      keepsVersion: row.keepsVersion, hasPictures: row.hasPictures)
  }

  /// What news are put in order by. Texts are compared byte for byte, which is by Unicode scalar.
  enum Order {
    case id
    /// By the moment the record was made, as the server wrote it, then by id.
    case creation
  }

  /// The places of those news whose ids a condition holds for, in order.
  func places(by order: Order, where isMeant: (String) -> Bool = { _ in true }) -> [Int32] {
    var places: [Int32] = []
    for place in 0..<rows.count where rows[place].isNews && isMeant(rows.id(at: place)) {
      places.append(Int32(place))
    }
    places.sort { left, right in
      let (left, right) = (Int(left), Int(right))
      let order = order == .creation ? orderOfCreation(left, right) : 0
      return (order == 0 ? orderOfIDs(left, right) : order) < 0
    }
    return places
  }

  private func orderOfIDs(_ left: Int, _ right: Int) -> Int {
    rows.withBytes(at: left) { left in
      rows.withBytes(at: right) { right in Self.order(left, right) }
    }
  }

  private func orderOfCreation(_ left: Int, _ right: Int) -> Int {
    texts.withUnsafeBytes { texts in
      let (left, right) = (rows[left], rows[right])
      return Self.order(
        UnsafeRawBufferPointer(rebasing: texts[left.creation]),
        UnsafeRawBufferPointer(rebasing: texts[right.creation]))
    }
  }

  /// Below zero where `left` comes first, zero where both are equal.
  private static func order(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let shorter = Swift.min(left.count, right.count)
    if shorter > 0, let one = left.baseAddress, let other = right.baseAddress {
      let order = Int(memcmp(one, other, shorter))
      if order != 0 { return order }
    }
    return left.count - right.count
  }
}

extension RemoteNews: Sequence {
  /// Gives the news in the order in which their ids first came.
  func makeIterator() -> some IteratorProtocol<RemoteState.Entry> {
    (0..<rows.count).lazy.filter { rows[$0].isNews }.map(entry(at:)).makeIterator()
  }
}
