import StoryAPI

/// Reads a password from the terminal without echo, or from standard input, but never from an
/// argument, which other users of the machine could see.
struct PasswordPrompt: Sendable {
  let context: Context
  /// Whether the password is the first line of standard input.
  let usesStandardInput: Bool

  /// Asks for a password, and twice for a new one to catch typing errors.
  ///
  /// - Throws: `CommandError.noPassword` if none can be read, `.passwordsDiffer`;
  ///   `CancellationError` for Ctrl-C.
  func password(for email: String, at server: String, isNew: Bool) throws -> Secret {
    if usesStandardInput {
      guard let line = context.input.readLine(), !line.isEmpty else {
        throw CommandError.noPassword(isTerminal: true)
      }
      return Secret(line)
    }
    guard context.input.isTerminal else { throw CommandError.noPassword(isTerminal: false) }
    let password = try ask("Password of \(email) at \(server): ")
    if isNew {
      let again = try ask("Once more: ")
      guard again.utf8.elementsEqual(password.utf8) else { throw CommandError.passwordsDiffer }
    }
    return Secret(password)
  }

  private func ask(_ question: String) throws -> String {
    context.output.sink.flush()
    context.errors.bytes(Array(context.errors.rendered(Text(question)).utf8))
    context.errors.sink.flush()
    // The key that ends the line is not shown either.
    defer { context.errors.line() }
    guard let line = try context.input.readHiddenLine(), !line.isEmpty else {
      throw CommandError.noPassword(isTerminal: true)
    }
    return line
  }
}
