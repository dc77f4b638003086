import Foundation
import StoryLibrary
import StoryServer
import Synchronization

/// Reads text aloud with a program on this machine.
struct SpeechProgram: Sendable {
  enum Name: String, ChoiceArgument {
    case espeak = "espeak-ng"
    case piper
  }

  var name = Name.espeak
  /// The program's environment; its `PATH` is searched for the program.
  let environment: [String: String]
  var voices = Voices()
  /// The model's file, which piper needs if no voice is set.
  var model: String?
  /// The timeout in seconds, after which it is killed.
  var seconds = 170

  /// The program's path, found in the `PATH` that it would get, or `nil` if it is not installed.
  var path: String? { ExternalProgram.path(of: name.rawValue, in: environment) }

  func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    guard let path else { throw .program("\(name.rawValue) is not installed") }
    let folder = TemporaryPath.make("speech")
    do throws(FileError) { try FileSystem.makeFolder(folder, mode: 0o700) } catch {
      throw .program("cannot write to \(folder): \(error.reason)")
    }
    defer { try? FileSystem.removeTree(folder) }
    let file = folder + "/speech.wav"
    let (words, input, voice) = try call(request, file)
    let child = ChildProcess([path] + words, environment: environment)
    let status = try await run(child, input)
    guard status == 0, let bytes = try? FileSystem.read(file, limit: 1 << 30) else {
      throw .program("\(name.rawValue) cannot read this with the voice “\(voice)”")
    }
    return Narration(bytes: bytes, voice: "\(name.rawValue) \(voice)")
  }

  private func call(
    _ request: SpeechRequest, _ file: String
  ) throws(EngineError) -> (words: [String], input: String, voice: String) {
    let chosen = request.voice ?? voices.voice(for: request.language)
    switch name {
    case .espeak:
      let voice = chosen ?? request.language
      // A little slower than the default: it is a bedtime story.
      let speed = Int((145 * (voices.speed ?? 1)).rounded())
      return (
        ["-v", voice, "-s", String(speed), "-w", file, "--stdin"],
        request.paragraphs.joined(separator: "\n\n"), voice
      )
    case .piper:
      guard let model = chosen ?? model else {
        throw .program("piper needs a voice’s file for “\(request.language)”")
      }
      let scale = voices.speed.map { ["--length_scale", "\(1 / $0)"] } ?? []
      // Each line of its input would become a file.
      return (
        ["--model", model, "--output_file", file] + scale,
        request.paragraphs.joined(separator: " "), Path.name(model)
      )
    }
  }

  /// Runs the program on its own thread; cancelling the task kills it.
  private func run(_ child: ChildProcess, _ input: String) async throws(EngineError) -> Int32 {
    let isCancelled = Mutex(false)
    let outcome = await withTaskCancellationHandler {
      await child.runAlone(input: Array(input.utf8), seconds: seconds) {
        isCancelled.withLock { $0 }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    if isCancelled.withLock({ $0 }) { throw .cancelled }
    switch outcome {
    case .success(let result): return result.status
    case .failure(.timedOut): throw .timedOut(seconds: seconds)
    case .failure: throw .program("\(name.rawValue) cannot be started")
    }
  }
}

enum TemporaryPath {
  /// Returns a path for a new folder: in the one that `TMPDIR` names, if it is there, else in `/tmp`. Nothing
  /// is created.
  static func make(_ use: String) -> String {
    let named = NSTemporaryDirectory()
    // An empty variable is the root to Foundation.
    let isUsable = named.contains { $0 != "/" } && (try? FileSystem.folderStatus(named)) != nil
    return Path.join(isUsable ? named : "/tmp", "stories-\(use)-\(RandomKey.make())")
  }
}
