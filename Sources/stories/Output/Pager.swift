import StoryLibrary

/// The user's pager, for text that is longer than the terminal.
struct Pager: Sendable {
  let command: String
  private let variables: [(name: String, value: String)]

  /// Finds the pager: `PAGER`, else `less` if it is installed and the terminal can do what it
  /// needs. As in git, `LESS` is `FRX` if it is not
  /// set, and an empty `PAGER` or `cat` means none.
  ///
  /// - Returns: `nil` if there is no pager.
  init?(_ context: Context) {
    let environment = context.childEnvironment
    let isInstalled = ExternalProgram.path(of: "less", in: environment) != nil
    let isAble = !["", "dumb"].contains(environment["TERM"] ?? "")
    guard let command = context.environment["PAGER"] ?? (isInstalled && isAble ? "less" : nil),
      command.contains(where: { !$0.isWhitespace }), command != "cat"
    else { return nil }
    self.command = command
    variables = environment["LESS"] == nil ? [("LESS", "FRX")] : []
  }

  /// Shows a text and waits until the pager is closed.
  ///
  /// - Returns: whether the pager took the whole text and was closed normally. It does not tell how far
  ///   somebody has read.
  ///   It is `nil` if the shell could not run the pager.
  /// - Throws: `ProgramError.failed` if it could not be started or failed.
  func show(_ text: [UInt8]) throws(ProgramError) -> Bool? {
    let program = ExternalProgram(command: command, variables: variables)
    let (status, tookInput) = try program.run(input: text)
    if status == 126 || status == 127 { return nil }
    // Ended by a signal, such as the keyboard's: nobody has read to the end, but nothing failed.
    guard status == 0 || status > 128 else { throw .exited(command, status: status) }
    return status == 0 && tookInput
  }
}

extension Context {
  /// Shows text in the pager if it is longer than the terminal.
  ///
  /// - Returns: as ``Pager/show(_:)``; `nil` if the text is still to be printed.
  func page(_ text: [UInt8]) throws(ProgramError) -> Bool? {
    guard output.isTerminal, !global.isUnpaged, output.height <= rows(of: text),
      let pager = Pager(self)
    else { return nil }
    output.sink.flush()
    if let isRead = try pager.show(text) { return isRead }
    let message = "the pager “\(pager.command)” could not be started"
    errors.line(Text("Warning: ", .warning) + Text(message))
    return nil
  }

  /// Runs `body` and shows what it writes to a terminal in the pager if it is longer than that. Notes
  /// and errors follow when the pager is closed.
  ///
  /// - Throws: what `body` throws, or as ``Pager/show(_:)``.
  func paged<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard output.isTerminal, !global.isUnpaged else { return try await body() }
    let sinks = [output.sink, errors.sink]
    for sink in sinks { sink.hold() }
    var result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    let (text, notes) = (output.sink.release(), errors.sink.release())
    do {
      if try page(text) == nil { output.bytes(text) }
    } catch {
      // The pager may have shown none of it.
      output.bytes(text)
      if case .success = result { result = .failure(error) }
    }
    output.sink.flush()
    if !notes.isEmpty { errors.bytes(notes) }
    return try result.get()
  }

  /// The rows that text takes on the terminal, about: a byte counts as a column.
  private func rows(of text: [UInt8]) -> Int {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().reduce(0) {
      $0 + max(1, ($1.count + output.width - 1) / max(1, output.width))
    }
  }
}
