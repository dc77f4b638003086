/// A lullaby that takes as long as a text would, for where nobody can read it aloud.
///
/// Soft tones of a pentatonic scale, of which any two go together, over a slow bass. The same seed
/// gives the same melody.
struct Melody {
  /// What an answer calls this voice.
  static let voice = "melody"
  /// Samples in a second: there are no tones that would need more, and a story stays below 5 MB.
  static let rate = 11_025
  /// Samples of a step, of which two make a beat at 64 beats a minute.
  private static let step = rate * 15 / 32

  /// How long it plays, in seconds; 3 at least.
  let seconds: Int
  private var seed: Seed

  init(text: String, seed: UInt64) {
    seconds = max(3, StoryText.wordCount(text) * 60 / Int(Scene.wordsPerMinute))
    self.seed = Seed(seed)
  }

  /// A tone that is sounding.
  private struct Tone {
    /// Where it is in its wave, and how far it goes with each sample; 1 is a whole wave.
    var phase: Float = 0
    var pitch: Float
    var level: Float
    /// What is left of the level after each sample.
    var fade: Float
    var age = 0
  }

  /// Writes the melody as a file, one step at a time.
  ///
  /// - Returns: the seconds; `nil` where the file cannot be written.
  consuming func write(to path: String) -> Double? {
    let samples = seconds * Self.rate
    guard let file = OutputFile(path: path),
      file.write(WaveFile.header(samples: samples, rate: Self.rate))
    else { return nil }
    var tones: [Tone] = []
    var written = 0
    var step = 0
    var notes: [Int] = []
    while written < samples {
      if step % 16 == 0 { notes = phrase(after: notes.last ?? 4) }
      if let note = notes[step % 16] >= 0 ? notes[step % 16] : nil {
        tones.append(Self.tone(note, level: 0.24, seconds: 1.6))
      }
      if step % 8 == 0 {
        tones.append(Self.tone([-10, -7, -8, -5][step / 8 % 4], level: 0.2, seconds: 3.2))
      }
      let count = min(Self.step, samples - written)
      // The end is quiet.
      let left = Float(samples - written) / Float(Self.rate)
      let bytes = Self.mix(&tones, count, loudness: min(1, left / 4))
      guard file.write(bytes) else { return nil }
      tones.removeAll { $0.level < 0.002 }
      written += count
      step += 1
    }
    return Double(seconds)
  }

  /// Sixteen steps, -1 for a rest: a line that wanders up and down, and comes to rest at the end.
  private mutating func phrase(after last: Int) -> [Int] {
    var notes: [Int] = []
    var note = min(9, max(0, last < 0 ? 4 : last))
    for step in 0..<16 {
      if step % 2 == 1, seed.below(3) > 0 {
        notes.append(-1)
        continue
      }
      note = min(9, max(0, note + seed.pick([-2, -1, -1, 1, 1, 2])))
      notes.append(step > 12 ? (step == 13 ? note / 5 * 5 : -1) : note)
    }
    return notes
  }

  /// The tone of a place on the scale, 0 being the C above middle C and each fifth place a C.
  private static func tone(_ place: Int, level: Float, seconds: Float) -> Tone {
    // C, D, E, G, A in equal temperament.
    let steps: [Float] = [1, 1.12246, 1.25992, 1.49831, 1.68179]
    let index = (place % 5 + 5) % 5
    var frequency: Float = 523.251 * steps[index]
    var octave = (place - index) / 5
    while octave > 0 { (frequency, octave) = (frequency * 2, octave - 1) }
    while octave < 0 { (frequency, octave) = (frequency / 2, octave + 1) }
    // Down to a thousandth in the given time: e to the power of -6.9.
    let fade = 1 - 6.9 / (seconds * Float(rate))
    return Tone(pitch: frequency / Float(rate), level: level, fade: fade)
  }

  /// The next samples of all tones, as bytes.
  private static func mix(_ tones: inout [Tone], _ count: Int, loudness: Float) -> [UInt8] {
    var sum = [Float](repeating: 0, count: count)
    sum.withUnsafeMutableBufferPointer { sum in
      for index in tones.indices {
        var tone = tones[index]
        for place in 0..<count {
          // The first hundredth of a second swells, so that no tone begins with a click.
          let attack = min(1, Float(tone.age) / 110)
          let wave = Wave.sine(tone.phase) + 0.2 * Wave.sine(2 * tone.phase)
          sum[place] += wave * tone.level * attack
          tone.phase += tone.pitch
          if tone.phase >= 1 { tone.phase -= 1 }
          tone.level *= tone.fade
          tone.age += 1
        }
        tones[index] = tone
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * count)
    for sample in sum {
      let value = Int16(max(-1, min(1, sample * loudness)) * 32_000)
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return bytes
  }
}
