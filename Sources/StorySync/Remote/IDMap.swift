import StoryLibrary

/// Values of one size by ids from a server, for very many of them: the ids lie one behind the other in
/// one buffer, so that a value costs a dozen bytes more than it and its id take.
///
/// Ids may be any text, and only those that are equal byte for byte are one. An id keeps its place, the
/// number of ids that came before it; none is ever removed.
struct IDMap<Value: BitwiseCopyable & Sendable>: Sendable {
  /// The ids in UTF-8, in the order of their places.
  private var bytes: [UInt8] = []
  /// Where each id ends in ``bytes``; the next one begins there.
  private var ends: [Int] = []
  private var values: [Value] = []
  private var table = PlaceTable()

  /// How many ids there are; their places are the numbers below.
  var count: Int { values.count }

  /// The value at a place.
  subscript(place: Int) -> Value {
    get { values[place] }
    set { values[place] = newValue }
  }

  /// The place of an id; `nil` where it has none.
  func place(of id: String) -> Int? {
    var id = id
    return id.withUTF8 { id in
      let id = UnsafeRawBufferPointer(id)
      return place(of: id, PlaceTable.sum(id))
    }
  }

  /// The place of an id, which gets the next one with a value where it has none yet.
  mutating func place(of id: String, orAdd value: @autoclosure () -> Value) -> Int {
    var id = id
    return id.withUTF8 { id in
      let id = UnsafeRawBufferPointer(id)
      let sum = PlaceTable.sum(id)
      if let place = place(of: id, sum) { return place }
      if table.isFull { growTable() }
      table.add(sum)
      bytes.append(contentsOf: id)
      ends.append(bytes.count)
      values.append(value())
      return values.count - 1
    }
  }

  private mutating func growTable() {
    var larger = PlaceTable(capacity: count + 1)
    for place in 0..<count { larger.add(withBytes(at: place) { PlaceTable.sum($0) }) }
    table = larger
  }

  private func place(of id: UnsafeRawBufferPointer, _ sum: UInt64) -> Int? {
    table.place(sum) { place in withBytes(at: place) { $0.elementsEqual(id) } }
  }

  /// The id at a place.
  func id(at place: Int) -> String { withBytes(at: place) { String(decoding: $0, as: UTF8.self) } }

  /// Lends the UTF-8 of the id at a place.
  func withBytes<Result>(
    at place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = place == 0 ? 0 : ends[place - 1]
    let end = ends[place]
    return try bytes.withUnsafeBytes { bytes in
      try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
  }
}
