import StoryAPI
import StoryLibrary

extension Context {
  /// Returns a text with the `-C` and `--server` of this command line added to its commands, so that
  /// they can be run as they are.
  ///
  /// A command is at the start of the text, in backquotes, in parentheses or after a colon.
  func runnable(_ text: String) -> String {
    var folder = ""
    if let name = global.folder, name != "." { folder = " -C \(ShellWord.quoting(name))" }
    let server = serverOption
    guard !folder.isEmpty || !server.isEmpty else { return text }
    var result = ""
    var end = text.startIndex
    for found in text.ranges(of: "stories ") {
      let lead = text[..<found.lowerBound]
      guard lead.isEmpty || lead.hasSuffix("`") || lead.hasSuffix(": ") || lead.hasSuffix("(")
      else { continue }
      let name = text[found.upperBound...].prefix { $0.isLetter || $0 == "-" }
      guard let command = CommandPath([StoriesCommand.self]).child(String(name))?.last else {
        continue
      }
      let place = command.concernsLibrary ? folder : ""
      result += text[end..<found.lowerBound] + "stories\(place) \(command.name)"
      end = name.endIndex
      let rest = text[end...].prefix { $0 != "`" && $0 != ")" }
      if command.asksServer, !rest.contains(" --server ") { result += server }
    }
    return result + text[end...]
  }

  /// The text with ``runnable(_:)`` commands.
  func runnable(_ text: Text) -> Text { text.mapped(runnable) }

  /// The `--server` of this command line, with a space before it. An address with a user or a password
  /// is refused, and not shown again.
  private var serverOption: String {
    guard let server = global.server else { return "" }
    if server == LibraryConfiguration.Server.embedded.text { return " --server \(server)" }
    let address = try? ServerAddress(server, allowsPlainHTTP: true)
    return address.map { " --server \(ShellWord.quoting($0.text))" } ?? ""
  }

  /// Returns this command line with further words, as a command to run. An option with its value
  /// replaces the same one.
  func again(adding options: String...) -> String {
    var words = arguments.map { $0.contains("://") ? Redaction.url($0) : $0 }
    if options.count == 2, options[0].hasPrefix("--") {
      if let old = words.firstIndex(of: options[0]) {
        words.removeSubrange(old..<min(old + 2, words.count))
      }
      words.removeAll { $0.hasPrefix(options[0] + "=") }
    }
    words.insert(contentsOf: options, at: words.firstIndex(of: "--") ?? words.endIndex)
    return ShellWord.line(["stories"] + words)
  }
}

extension ErrorReport {
  func runnable(in context: Context) -> ErrorReport {
    var report = self
    report.hint = hint.map(context.runnable)
    return report
  }
}

extension ShellWord {
  /// Returns words as a line for a shell, in which options stay as they are.
  static func line(_ words: [String]) -> String {
    words.map { word in
      let isPlain = word.hasPrefix("-") && word.dropFirst().allSatisfy { $0.isLetter || $0 == "-" }
      return isPlain ? word : quoting(word)
    }.joined(separator: " ")
  }
}

extension Command {
  /// Whether the command is for one library, so that it matters which.
  fileprivate static var concernsLibrary: Bool {
    !["serve", "engine", "completions", "help"].contains(name)
  }

  /// Whether the command works with a server, so that it matters which.
  fileprivate static var asksServer: Bool {
    [
      "sync", "status", "generate", "media", "sign-in", "sign-up", "sign-out", "whoami", "usage",
      "doctor",
    ].contains(name)
  }
}

extension RecordRef {
  /// The name as a word of a command line.
  var word: String { ShellWord.quoting(description) }
}
