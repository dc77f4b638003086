import JSONText
import Testing

@testable import StoryServer

@Suite struct PictureTests {
  @Test func whatIsCompressedComesBack() throws {
    var seed = Seed(20_261_121)
    var cases: [[UInt8]] = [
      [], [7], Array("abcabcabcabcabc".utf8), [UInt8](repeating: 0, count: 100_000),
      (0..<70_000).map { UInt8(truncatingIfNeeded: $0 / 7) },
      (0..<40_000).map { _ in UInt8(truncatingIfNeeded: seed.next()) },
    ]
    for size in [2, 3, 258, 259, 32_768, 33_000] {
      cases.append((0..<size).map { _ in UInt8(seed.below(3)) })
    }
    for bytes in cases {
      let packed = Deflate.zlib(bytes)
      #expect(try Inflate.zlib(packed) == bytes, "\(bytes.count) bytes")
    }
    #expect(Deflate.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
  }

  private func hero(_ members: JSONObject) throws -> JSONNode {
    try JSONDocument(parsing: JSONValue.object(members).compactBytes).root
  }

  @Test func aPictureShowsTheColoursOfTheRecord() throws {
    let figure = Figure(
      try hero([
        "name": "Luna", "hairColor": "dark red", "eyeColor": "grün", "skinTone": "clair",
        "appearance": "long braids", "height": "tall",
      ]))
    #expect(figure.hasLongHair && figure.isTall)
    #expect(figure.words.contains("hair: dark red"))
    let avatar = AvatarPicture(figure: figure, seed: 5, size: 96)
    let picture = try Decoded(avatar.png())
    #expect((picture.width, picture.height) == (96, 96))
    #expect(picture.count(near: 0xB5482A) > 200, "hair")
    #expect(picture.count(near: 0xF6D7BD) > 300, "skin")
    #expect(picture.count(near: 0x4C8F5A) > 2, "eyes")
    #expect(avatar.png() == AvatarPicture(figure: figure, seed: 5, size: 96).png())
    #expect(avatar.png() != AvatarPicture(figure: figure, seed: 6, size: 96).png())
  }

  @Test(arguments: BuiltInEvent.allCases.map(\.rawValue) + ["other"])
  func everyEventHasItsScenes(event: String) throws {
    var pictures: [[UInt8]] = []
    for order in 1...4 {
      let scene = ScenePicture(
        figure: Figure(nil), event: event, order: order, seed: UInt64(order), width: 96)
      let picture = try Decoded(scene.png())
      #expect((picture.width, picture.height) == (96, 64))
      // The sky is darker than the ground is bright: there is something to see.
      #expect(Set(picture.rows).count > 40)
      pictures.append(picture.rows)
    }
    #expect(Set(pictures).count == 4)
  }

  @Test func tinyPicturesArePicturesToo() throws {
    for size in [1, 2, 7] {
      let avatar = try Decoded(AvatarPicture(figure: Figure(nil), seed: 1, size: size).png())
      #expect(avatar.width == size)
    }
  }
}

/// A PNG file taken apart by other code than what wrote it.
private struct Decoded {
  var width = 0
  var height = 0
  var rows: [UInt8] = []

  struct Damage: Error { var what: String }

  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw Damage(what: "signature")
    }
    func long(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }
    var place = 8
    var data: [UInt8] = []
    var types: [String] = []
    while place < bytes.count {
      let length = long(place)
      let type = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
      let content = bytes[(place + 8)..<(place + 8 + length)]
      guard Self.check(bytes[(place + 4)..<(place + 8 + length)]) == long(place + 8 + length) else {
        throw Damage(what: "check of \(type)")
      }
      if type == "IHDR" { (width, height) = (long(place + 8), long(place + 12)) }
      if type == "IDAT" { data += content }
      types.append(type)
      place += 12 + length
    }
    guard types == ["IHDR", "IDAT", "IEND"] else { throw Damage(what: "chunks \(types)") }
    let filtered = try Inflate.zlib(data)
    let length = width * 3
    guard filtered.count == (length + 1) * height else { throw Damage(what: "length") }
    rows = [UInt8](repeating: 0, count: length * height)
    for row in 0..<height {
      let filter = filtered[row * (length + 1)]
      for index in 0..<length {
        let left = index >= 3 ? Int(rows[row * length + index - 3]) : 0
        let above = row > 0 ? Int(rows[(row - 1) * length + index]) : 0
        let corner = index >= 3 && row > 0 ? Int(rows[(row - 1) * length + index - 3]) : 0
        let guess: Int
        switch filter {
        case 0: guess = 0
        case 1: guess = left
        case 2: guess = above
        case 3: guess = (left + above) / 2
        default:
          let sum = left + above - corner
          let distances = [abs(sum - left), abs(sum - above), abs(sum - corner)]
          let least = distances.min()
          guess =
            distances[0] == least ? left : distances[1] == least ? above : corner
        }
        rows[row * length + index] = UInt8(
          truncatingIfNeeded: Int(filtered[row * (length + 1) + 1 + index]) + guess)
      }
    }
  }

  /// How many pixels are about this colour.
  func count(near color: Int) -> Int {
    stride(from: 0, to: rows.count, by: 3).count { index in
      abs(Int(rows[index]) - color >> 16) < 16 && abs(Int(rows[index + 1]) - color >> 8 & 255) < 16
        && abs(Int(rows[index + 2]) - color & 255) < 16
    }
  }

  /// CRC-32 bit by bit.
  private static func check(_ bytes: ArraySlice<UInt8>) -> Int {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }
}

/// Unpacks what RFC 1951 packs, as far as stored blocks and those with the fixed codes go.
private enum Inflate {
  struct Damage: Error { var what: String }

  static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count > 6, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0, bytes[0] & 15 == 8 else {
      throw Damage(what: "header")
    }
    var place = 16
    func bit() throws -> Int {
      guard place / 8 < bytes.count - 4 else { throw Damage(what: "end") }
      defer { place += 1 }
      return Int(bytes[place / 8] >> UInt8(place % 8) & 1)
    }
    func bits(_ count: Int) throws -> Int {
      var value = 0
      for index in 0..<count { value |= try bit() << index }
      return value
    }
    func symbol() throws -> Int {
      var code = 0
      for length in 1...9 {
        code = code << 1 | (try bit())
        switch length {
        case 7 where code < 24: return 256 + code
        case 8 where (48..<192).contains(code): return code - 48
        case 8 where (192..<200).contains(code): return 280 + code - 192
        case 9 where code >= 400: return 144 + code - 400
        default: continue
        }
      }
      throw Damage(what: "code")
    }
    let lengths = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
      163, 195, 227, 258,
    ]
    let lengthBits = [
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    let distances = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
      2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]
    var output: [UInt8] = []
    var isLast = false
    while !isLast {
      isLast = try bit() == 1
      guard try bits(2) == 1 else { throw Damage(what: "kind of block") }
      while case let value = try symbol(), value != 256 {
        if value < 256 {
          output.append(UInt8(value))
          continue
        }
        let length = lengths[value - 257] + (try bits(lengthBits[value - 257]))
        var code = 0
        for _ in 0..<5 { code = code << 1 | (try bit()) }
        let distance = distances[code] + (try bits(code < 4 ? 0 : code / 2 - 1))
        guard distance <= output.count else { throw Damage(what: "distance") }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    let (low, high) = output.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    let check = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    guard check == high << 16 | low else { throw Damage(what: "check") }
    return output
  }
}
