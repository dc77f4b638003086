import StoryAPI
import StoryLibrary

/// Why a file could not be fetched, where the server or the network is not to blame.
public enum MediaFailure: Error, Sendable, Hashable {
  /// The server has no such file any more, or only at an address that is not fetched from: neither
  /// https nor the server's own.
  case noAddress
  /// The server tells where the file is, and does not give it from there.
  case refused
  /// The file is something else than it should be: the content type that came instead.
  case wrongType(String)
  /// An answer is not what was asked for; the text says how.
  case wrongAnswer(String)
  /// The file is larger than any that is fetched, in bytes.
  case tooLarge(limit: Int)

  /// What happened, as a sentence.
  public var message: String {
    switch self {
    case .noAddress: "The server has no such file now, or only where nothing is fetched from."
    case .refused: "The server says where the file is, but does not give it from there."
    case .wrongType(let type): "The server sent “\(ServerText.shown(type, limit: 80))” instead."
    case .wrongAnswer(let what): "The server sent \(what)."
    case .tooLarge(let limit): "The file is larger than \(limit >> 20) MiB."
    }
  }

  /// What to do next; `nil` where nothing is known to help.
  public var hint: String? {
    switch self {
    case .noAddress: "take in what the server has now: stories sync pull"
    case .refused, .wrongType, .wrongAnswer: "try again later, or have it made again: --regenerate"
    case .tooLarge: nil
    }
  }
}
