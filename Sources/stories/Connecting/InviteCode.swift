import StoryAPI

/// The code that a server requires for a new account.
struct InviteCode: ArgumentValue {
  let secret: Secret

  /// The minimum length; shorter codes could be guessed.
  private static let shortest = 8

  /// Creates the code in `STORIES_INVITE`, or returns `nil` if it is not set or empty.
  ///
  /// - Throws: `UsageError` for a code that is too short.
  init?(_ context: Context) throws {
    guard let word = context.environment["STORIES_INVITE"], !word.isEmpty else { return nil }
    do throws(ValueProblem) {
      self = try Self.parse(word)
    } catch {
      throw UsageError(.wrongValue(of: "STORIES_INVITE", Redaction.mark, error))
    }
  }

  private init(secret: Secret) { self.secret = secret }

  static func parse(_ word: String) throws(ValueProblem) -> InviteCode {
    guard word.count >= shortest else {
      throw ValueProblem(expected: "a code of at least \(shortest) characters")
    }
    return InviteCode(secret: Secret(word))
  }
}
