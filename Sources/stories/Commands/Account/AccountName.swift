import StoryAPI

/// Who signs in or up: an e-mail address, or a name on a server that knows no addresses.
enum AccountName {
  /// Returns the one of the two that was given; with neither, asks for one on a terminal.
  ///
  /// - Throws: `UsageError` for both, for an empty one, or for none if nobody can be asked; `CommandError.noPassword`
  ///   if nothing was typed.
  static func read(
    email: String?, user: String?, at server: String, _ context: Context
  ) throws -> String {
    switch (email, user) {
    case (let name?, nil), (nil, let name?):
      guard !name.trimmed.isEmpty else {
        throw UsageError(
          email == nil ? .missingOption("--user", "NAME") : .missingOption("--email", "E"))
      }
      return name
    case (nil, nil): return try ask(server, context)
    case (_?, _?): throw UsageError(.excluded("--email", by: "--user"))
    }
  }

  private static func ask(_ server: String, _ context: Context) throws -> String {
    guard context.isInteractive else {
      throw UsageError(.missingOption("--email", "E (or --user NAME)"))
    }
    context.output.sink.flush()
    let question = Text("E-mail address (or user name) at \(server): ")
    context.errors.bytes(Array(context.errors.rendered(question).utf8))
    context.errors.sink.flush()
    let name = (context.input.readLine() ?? "").trimmed
    guard !name.isEmpty else {
      throw UsageError(.missingOption("--email", "E (or --user NAME)"))
    }
    return name
  }
}

extension String {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
