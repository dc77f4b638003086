import StoryLibrary

extension Context {
  /// The user's pager: `PAGER`, else `less` if it is installed and the terminal can do what it
  /// needs. As in git, an empty `PAGER` or `cat` means none.
  private var pager: String? {
    let isInstalled = ExternalProgram.path(of: "less", in: childEnvironment) != nil
    let isAble = !["", "dumb"].contains(childEnvironment["TERM"] ?? "")
    let command = environment["PAGER"] ?? (isInstalled && isAble ? "less" : nil)
    return command.flatMap { $0 != "cat" && $0.contains { !$0.isWhitespace } ? $0 : nil }
  }

  /// Shows text in the pager if it is longer than the terminal, and waits until the pager is closed.
  ///
  /// - Returns: whether the pager took the whole text and was closed normally. It does not tell how far
  ///   somebody has read. It is `nil` if the text is still to be printed.
  /// - Throws: `ProgramError.failed` if the pager could not be started or failed.
  func page(_ text: [UInt8]) throws(ProgramError) -> Bool? {
    guard output.isTerminal, !global.isUnpaged, output.height <= rows(of: text), let pager
    else { return nil }
    output.sink.flush()
    // As in git, `LESS` is `FRX` if it is not set.
    let variables = childEnvironment["LESS"] == nil ? ["LESS": "FRX"] : [:]
    let program = ExternalProgram(command: pager, variables: variables)
    let (status, tookInput) = try program.run(input: text)
    // The shell could not run it.
    guard status != 126, status != 127 else {
      errors.line(Text("Warning: ", .warning) + Text("the pager “\(pager)” could not be started"))
      return nil
    }
    // Ended by a signal, such as the keyboard's: nobody has read to the end, but nothing failed.
    guard status == 0 || status > 128 else { throw .exited(pager, status: status) }
    return status == 0 && tookInput
  }

  /// Runs `body` and shows what it writes to a terminal in the pager if it is longer than that. Notes
  /// and errors follow when the pager is closed.
  ///
  /// - Throws: what `body` throws, or as ``page(_:)``.
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
