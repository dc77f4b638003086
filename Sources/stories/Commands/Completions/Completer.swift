import StoryLibrary
import StorySync

/// Completes the word being typed in a shell, from the same declarations that the parser uses.
struct Completer: Sendable {
  struct Candidate: Sendable, Equatable, Encodable {
    var word: String
    /// A description, for shells that show one; empty if the word is enough.
    var help = ""
  }

  let root: any Command.Type
  let context: Context

  /// Returns the suggestions for the last of `words`.
  ///
  /// - Parameter words: the command line after the program's name up to the cursor; the last word
  ///   is what was typed of it. A shell that splits words at `=` gives `--color`, `=`, `al`.
  func candidates(for words: [String]) -> [Candidate] {
    var line = CommandLineReading(root, Self.joined(Array(words.dropLast())))
    while !line.isAtEnd { try? line.readNext() }
    let typed = words.last ?? ""
    let found = line.isOver ? arguments(line, typed) : all(line, typed)
    return found.filter { $0.word.utf8.starts(with: typed.utf8) }
  }

  /// Returns words without the equals signs that a shell split off.
  private static func joined(_ words: [String]) -> [String] {
    words.indices.filter { place in
      guard words[place] == "=", place > 0 else { return true }
      return !words[place - 1].hasPrefix("-") || words[place - 1] == "--"
    }.map { words[$0] }
  }

  private func all(_ line: CommandLineReading, _ typed: String) -> [Candidate] {
    if let option = line.waiting { return values(of: option, line, typed) }
    if typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
      guard let option = line.knownOptions.first(where: { $0.spelling == typed[..<equals] }) else {
        return []
      }
      let value = String(typed[typed.index(after: equals)...])
      return values(of: option, line, value).map {
        Candidate(word: typed[...equals] + $0.word, help: $0.help)
      }
    }
    if typed.hasPrefix("-") {
      return line.knownOptions.map { Candidate(word: $0.spelling, help: $0.help) }
    }
    let commands = line.path.last.subcommands
    guard !commands.isEmpty else { return arguments(line, typed) }
    // An earlier word is not a command, so it is unknown what follows.
    guard line.positional.isEmpty else { return [] }
    return commands.map { Candidate(word: $0.name, help: $0.summary) }
  }

  /// Returns the suggestions for the arguments that can come next: none if no more are possible, and
  /// several if an optional one can be left out.
  private func arguments(_ line: CommandLineReading, _ typed: String) -> [Candidate] {
    let all = line.path.last.arguments
    var rest = all[...]
    for word in line.positional {
      while let next = rest.first, next.gives(way: word, in: all) { rest = rest.dropFirst() }
      if rest.first?.isRepeatable == false { rest = rest.dropFirst() }
    }
    guard let next = rest.first else { return [] }
    let open = next.gives(way: "", in: all) ? rest : [next]
    return open.flatMap { values(of: $0, line, typed) }
  }

  private func values(
    of declaration: ParameterDeclaration, _ line: CommandLineReading, _ typed: String
  ) -> [Candidate] {
    guard declaration.choices.isEmpty else {
      return declaration.choices.map { Candidate(word: $0) }
    }
    return switch declaration.completion {
    case .none: []
    case .folder: files(typed, onlyFolders: true)
    case .file: files(typed, onlyFolders: false)
    case .record: records(declaration, line, typed)
    case .conflict: conflicts(line)
    case .run: runs(line)
    case .command: commands(line)
    case .setting: SettingName.allCases.map { Candidate(word: $0.rawValue + "=", help: $0.summary) }
    }
  }

  // MARK: What is on disk

  private func files(_ typed: String, onlyFolders: Bool) -> [Candidate] {
    let slash = typed.lastIndex(of: "/")
    let above = slash.map { String(typed[...$0]) } ?? ""
    let folder = above.isEmpty ? context.startFolder : Path.absolute(above, in: context.startFolder)
    let shows = typed[above.endIndex...].hasPrefix(".")
    return ((try? FileSystem.list(folder)) ?? [])
      .filter { ($0.type == .folder || !onlyFolders) && (shows || !$0.name.hasPrefix(".")) }
      .map { Candidate(word: "\(above)\($0.name)\($0.type == .folder ? "/" : "")") }
      .sorted { $0.word < $1.word }
  }

  /// Returns the records of the library that the command line selects. Only names are read.
  /// A name alone is offered for what was begun without a kind, if no other record has it.
  private func records(
    _ declaration: ParameterDeclaration, _ line: CommandLineReading, _ typed: String
  ) -> [Candidate] {
    guard let library = library(line) else { return [] }
    // An option named like a kind takes a name of that kind.
    let kind = EntityKind.writable.first { $0.schema.noun == declaration.name }
    let refs = library.recordNames(kind.map { [$0] } ?? EntityKind.writable)
    let words = refs.map { Candidate(word: kind == nil ? $0.description : $0.name) }
    guard kind == nil, !typed.isEmpty, !typed.contains("/") else { return words }
    let named = Dictionary(grouping: refs) { Path.name($0.name) }
    return words
      + named.filter { $0.value.count == 1 }.keys.sorted().map { name in
        Candidate(word: name, help: named[name]?.first?.description ?? "")
      }
  }

  private func library(_ line: CommandLineReading) -> Library? {
    try? Library.find(
      from: line.validGlobals.folder.map { Path.absolute($0, in: context.startFolder) }
        ?? context.folder)
  }

  private func conflicts(_ line: CommandLineReading) -> [Candidate] {
    guard let library = library(line), let scan = try? Scanner(askingGit: library).scan() else {
      return []
    }
    return scan.entries.filter { entry in
      entry.state == .conflict || entry.problems.contains { $0.code == .conflictMarkers }
    }.map { Candidate(word: $0.ref.description) }
  }

  private func runs(_ line: CommandLineReading) -> [Candidate] {
    guard let library = library(line), let runs = try? RunHistory(library).runs() else { return [] }
    return runs.map { Candidate(word: $0.name, help: $0.commandWord) }
  }

  private func commands(_ line: CommandLineReading) -> [Candidate] {
    let path = try? CommandPath([root]).descending(line.positional)
    return (path?.last.subcommands ?? []).map { Candidate(word: $0.name, help: $0.summary) }
  }
}
