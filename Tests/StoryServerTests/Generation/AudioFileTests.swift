import TestSupport
import Testing

@testable import StoryServer

@Suite struct AudioFileTests {
  @Test func `WAV tells its length by its bytes`() throws {
    let file = try #require(AudioFile(SampleSound.wav(4096)))
    #expect(file.isWAV && file.seconds == 2)
    // Written to a pipe: the lengths say nothing, or far too much.
    for length: UInt8 in [0, 0xFF] {
      var piped = SampleSound.wav(4096)
      for place in Array(4..<8) + Array(40..<44) { piped[place] = length }
      #expect(AudioFile(piped)?.seconds == 2)
      let whole = try #require(AudioFile.joined([piped]))
      #expect(whole == SampleSound.wav(4096))
    }
    // Samples that are missing at the end do not play.
    #expect(AudioFile(SampleSound.wav(4096).dropLast(2048))?.seconds == 1)
  }

  @Test func `MP3 tells its length by its frames`() throws {
    let frames = SampleSound.mp3(frames: 100)
    let seconds = 100 * 1152 / 44_100.0
    let file = try #require(AudioFile(frames))
    #expect(!file.isWAV && abs(file.seconds - seconds) < 0.001)
    // A tag in front, and a first frame that only says something of the others.
    var note = Array(frames.prefix(417))
    note.replaceSubrange(36..<40, with: Array("Info".utf8))
    let tagged = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5] + note + frames
    let other = try #require(AudioFile(tagged))
    #expect(abs(other.seconds - seconds) < 0.001)
    #expect(Array(tagged[other.sound]) == frames)
    #expect(AudioFile.joined([tagged]) == tagged)
    // Files that somebody put one after the other, each with its tag.
    let both = try #require(AudioFile(tagged + tagged))
    #expect(abs(both.seconds - 2 * seconds) < 0.03)
    #expect(try #require(AudioFile(frames + Array("TAG".utf8))).seconds == file.seconds)
  }

  @Test func `parts are joined`() throws {
    let wave = try #require(
      AudioFile.joined([SampleSound.wav(2048), SampleSound.wav(1024)]))
    #expect(wave == SampleSound.wav(3072))
    let frames = SampleSound.mp3(frames: 3)
    #expect(AudioFile.joined([frames, frames]) == frames + frames)
    #expect(AudioFile.joined([SampleSound.wav(), frames]) == nil)
    var faster = SampleSound.wav()
    faster[25] = 8
    #expect(AudioFile.joined([SampleSound.wav(), faster]) == nil)
    #expect(AudioFile.joined([]) == nil)
  }

  @Test(arguments: [
    [], Array("RIFF".utf8), Array("RIFF....WAVEdata".utf8), Array("OggS".utf8), [0xFF, 0xFB],
    [0xFF, 0xFB, 0xF0, 0], Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F, 0],
  ])
  func `anything else is no sound`(_ bytes: [UInt8]) { #expect(AudioFile(bytes) == nil) }
}
