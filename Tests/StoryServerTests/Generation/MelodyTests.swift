import Testing

@testable import StoryServer

@Suite struct MelodyTests {
  private func bytes(_ text: String, seed: UInt64) throws -> (bytes: [UInt8], seconds: Double?) {
    let folder = try TemporaryFolder()
    let seconds = Melody(text: text, seed: seed).write(to: folder.path + "/melody.wav")
    #expect(WaveFile.seconds(path: folder.path + "/melody.wav") == seconds)
    return (try folder.read("melody.wav"), seconds)
  }

  @Test func playsAsLongAsTheTextTakes() throws {
    let text = Array(repeating: "word", count: 25).joined(separator: " ")
    let (file, seconds) = try bytes(text, seed: 1)
    #expect(seconds == 10, "150 words a minute")
    #expect(file.count == 44 + 10 * Melody.rate * 2)
    #expect(file.starts(with: Array("RIFF".utf8)))
    #expect(file[8..<16].elementsEqual("WAVEfmt ".utf8))
    // PCM, one channel, 16 bits.
    #expect(file[20..<24].elementsEqual([1, 0, 1, 0]))
    #expect(file[34..<36].elementsEqual([16, 0]))
    let samples = stride(from: 44, to: file.count, by: 2).map {
      Int(Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8))
    }
    let loudest = samples.map(abs).max() ?? 0
    #expect((6_000..<32_000).contains(loudest), "audible, and nothing is cut off")
    #expect(samples.suffix(200).map(abs).max() ?? 0 < 400, "the end is quiet")
    #expect(try bytes(text, seed: 1).bytes == file)
    #expect(try bytes(text, seed: 2).bytes != file)
  }

  @Test func aShortTextGetsThreeSeconds() throws {
    #expect(try bytes("Once.", seed: 1).seconds == 3)
  }

  @Test func lengthsOfOtherFilesAreRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.wav"
    for junk in [[], Array("RIFFxxxxWAVE".utf8), [UInt8](repeating: 65, count: 100)] {
      try folder.write(junk, to: "a.wav")
      #expect(WaveFile.seconds(path: path) == nil)
    }
    #expect(WaveFile.seconds(path: folder.path + "/none") == nil)
    // A program that could not seek back wrote the largest length.
    var file = WaveFile.header(samples: 1000, rate: 1000) + [UInt8](repeating: 0, count: 2000)
    for index in 40..<44 { file[index] = 0xFF }
    try folder.write(file, to: "a.wav")
    #expect(WaveFile.seconds(path: path) == 1)
  }
}
