#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What an index knows of one kind's records.
struct ScanIndexSection: Sendable {
  private let bytes: ScanIndexBytes
  /// Where the section lies among the bytes.
  let range: Range<Int>
  private let header: ScanIndex.SectionHeader
  private let pairs: Int
  private let targets: Int
  private let texts: Int

  /// How many pairs are known.
  var count: Int { Int(header.pairs) }

  /// The section at a place; `nil` where its parts do not add up.
  init?(_ bytes: ScanIndexBytes, _ range: Range<Int>) {
    guard let header = bytes.load(ScanIndex.SectionHeader.self, at: range.lowerBound) else {
      return nil
    }
    self.bytes = bytes
    self.range = range
    self.header = header
    pairs = range.lowerBound + MemoryLayout<ScanIndex.SectionHeader>.stride
    let references = pairs + Int(header.pairs) * MemoryLayout<ScanIndex.Pair>.stride
    targets = references + Int(header.references) * MemoryLayout<ScanIndex.Reference>.stride
    texts = targets + Int(header.targets) * MemoryLayout<UInt32>.stride
    guard texts + Int(header.texts) == range.upperBound else { return nil }
  }

  /// The section as it stands in the file.
  var raw: UnsafeRawBufferPointer? { bytes[range] }

  /// The pair at a place.
  func pair(_ place: Int) -> ScanIndex.Pair? {
    guard place >= 0, place < count else { return nil }
    return bytes.load(
      ScanIndex.Pair.self, at: pairs + place * MemoryLayout<ScanIndex.Pair>.stride)
  }

  /// A part of the texts; `nil` where there is none such.
  func text(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard start + length <= Int(header.texts) else { return nil }
    return bytes[texts + start..<texts + start + length]
  }

  private func name(_ place: Int) -> UnsafeRawBufferPointer? {
    pair(place).flatMap { text(Int($0.text), Int($0.nameLength)) }
  }

  /// The pair of a name.
  ///
  /// - Parameter place: where the pair before was found; this one is mostly the next.
  func find(_ name: String, near place: inout Int) -> ScanIndex.Pair? {
    var name = name
    return name.withUTF8 { utf8 -> ScanIndex.Pair? in
      let wanted = UnsafeRawBufferPointer(utf8)
      if let next = self.name(place + 1), Self.order(next, wanted) == 0 {
        place += 1
        return pair(place)
      }
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        guard let found = self.name(middle) else { return nil }
        let order = Self.order(found, wanted)
        if order == 0 {
          place = middle
          return pair(middle)
        }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      place = low - 1
      return nil
    }
  }

  static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let one = left.baseAddress, let other = right.baseAddress {
      let order = Int(memcmp(one, other, count))
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// The places of the references of a pair, in their order; `nil` where they cannot be made out.
  func targets(of pair: ScanIndex.Pair) -> [Int]? {
    guard Int(pair.firstTarget) + Int(pair.targetCount) <= Int(header.targets) else { return nil }
    var result: [Int] = []
    for place in 0..<Int(pair.targetCount) {
      let start = targets + (Int(pair.firstTarget) + place) * MemoryLayout<UInt32>.stride
      guard let target = bytes.load(UInt32.self, at: start) else { return nil }
      result.append(Int(target))
    }
    return result
  }

  /// The references of the section: the record that each names, and whether it stands for the same
  /// as it did.
  func references(_ table: ReferenceTable) -> [(ref: RecordRef, isPending: Bool, isValid: Bool)] {
    let start = pairs + count * MemoryLayout<ScanIndex.Pair>.stride
    return (0..<Int(header.references)).map { place in
      guard
        let reference = bytes.load(
          ScanIndex.Reference.self,
          at: start + place * MemoryLayout<ScanIndex.Reference>.stride),
        Int(reference.kind) < EntityKind.allCases.count,
        let name = text(Int(reference.text), Int(reference.nameLength)),
        let id = text(Int(reference.text) + Int(reference.nameLength), Int(reference.idLength))
      else { return (RecordRef(kind: .heroes, name: ""), false, false) }
      let ref = RecordRef(
        kind: EntityKind.allCases[Int(reference.kind)], name: String(decoding: name, as: UTF8.self))
      let meaning: ReferenceTable.Meaning =
        id.isEmpty ? .pending : .id(String(decoding: id, as: UTF8.self))
      return (ref, id.isEmpty, table.contains(ref) && table.meaning(of: ref) == meaning)
    }
  }
}
