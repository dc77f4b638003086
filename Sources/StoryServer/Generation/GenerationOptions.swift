/// How the server has stories, pictures and narrations made.
public struct GenerationOptions: Sendable {
  /// How often each thing is made for an account in an hour.
  public var limits: [Making: Int] = [.story: 30, .audio: 30, .avatar: 30, .illustrations: 30]
  /// How many bytes the pictures and narrations of an account may have together; 4 GiB.
  public var mediaBytes = 4 << 30
  /// What writes, draws and reads aloud.
  public var engine: any Engine = Placeholder()
  /// Whether illustrations that were asked for are drawn. A server that runs for another purpose
  /// leaves them to the next one, so that nobody pays for what they did not ask for.
  public var drawsIllustrations = true
  /// Receives what people who run the server should know, one line each, without secrets.
  public var note: @Sendable (String) -> Void = { _ in }

  /// The defaults.
  public init() {}

  func limit(of what: Making) -> Int { limits[what] ?? 0 }
}
