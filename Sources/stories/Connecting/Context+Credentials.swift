import Foundation
import StoryAPI

extension Context {
  /// Returns who signs in or up: the one of an e-mail address and a name that was given, for a server
  /// that knows no addresses; with neither, asks for one on a terminal.
  ///
  /// - Throws: `UsageError` for both, for an empty one, or for none if nobody can be asked or nothing was
  ///   typed.
  func accountName(email: String?, user: String?, at server: String) throws -> String {
    if email != nil, user != nil { throw UsageError(.excluded("--email", by: "--user")) }
    if let name = email ?? user {
      guard !Self.trimmed(name).isEmpty else {
        throw UsageError(
          email == nil ? .missingOption("--user", "NAME") : .missingOption("--email", "E"))
      }
      return name
    }
    if isInteractive {
      prompt("E-mail address (or user name) at \(server): ")
      let name = Self.trimmed(input.readLine() ?? "")
      if !name.isEmpty { return name }
    }
    throw UsageError(.missingOption("--email", "E (or --user NAME)"))
  }

  /// Reads a password from the terminal without echo, and a new one twice to catch typing errors, or
  /// from the first line of standard input; never from an argument, which other users of the machine
  /// could see.
  ///
  /// - Throws: `CommandError.noPassword` if none can be read, `.passwordsDiffer`;
  ///   `CancellationError` for Ctrl-C.
  func password(
    for email: String, at server: String, isNew: Bool, fromStandardInput: Bool
  ) throws -> Secret {
    if fromStandardInput {
      guard let line = input.readLine(), !line.isEmpty else {
        throw CommandError.noPassword(isTerminal: true)
      }
      return Secret(line)
    }
    guard input.isTerminal else { throw CommandError.noPassword(isTerminal: false) }
    let password = try askHidden("Password of \(email) at \(server): ")
    if isNew {
      let again = try askHidden("Once more: ")
      guard again.utf8.elementsEqual(password.utf8) else { throw CommandError.passwordsDiffer }
    }
    return Secret(password)
  }

  private func askHidden(_ question: String) throws -> String {
    prompt(question)
    // The key that ends the line is not shown either.
    defer { errors.line() }
    guard let line = try input.readHiddenLine(), !line.isEmpty else {
      throw CommandError.noPassword(isTerminal: true)
    }
    return line
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }

  private func prompt(_ question: String) {
    output.sink.flush()
    errors.bytes(Array(errors.rendered(Text(question)).utf8))
    errors.sink.flush()
  }
}
