import Testing

@testable import stories

/// What holds for the declarations of every command, so that help and completion can rely on it.
@Suite struct DeclarationTests {
  /// All commands of the program, with their paths.
  static let all: [CommandPath] = below(CommandPath([StoriesCommand.self]))

  private static func below(_ path: CommandPath) -> [CommandPath] {
    [path] + path.last.subcommands.flatMap { below(CommandPath(path.commands + [$0])) }
  }

  @Test(arguments: all.indices)
  func wordsAreInGoodForm(index: Int) {
    let command = Self.all[index].last
    #expect(command.summary.first?.isUppercase == true)
    #expect(!command.summary.hasSuffix(".") && !command.summary.contains("\n"))
    #expect(command.name.allSatisfy { $0.isLowercase || $0 == "-" })
    for declaration in command.declarations + GlobalOptions.declarations {
      #expect(declaration.help.isEmpty == false && !declaration.help.hasSuffix("."))
      #expect((declaration.form == .option) == !declaration.valueName.isEmpty)
    }
  }

  @Test func everyCommandIsInItsSection() {
    let aboutProgram = StoriesCommand.sections.last?.commands ?? []
    #expect(aboutProgram.map { $0.name }.sorted() == ["completions", "help"])
  }

  @Test(arguments: all.indices)
  func namesAreUnique(index: Int) {
    let path = Self.all[index]
    let own = path.last.declarations.filter { !$0.isArgument }
    let global = GlobalOptions.declarations.filter { !Self.isHidden($0.name, by: path.text) }
    let names = (own + global).map(\.name).filter { !$0.isEmpty }
    let letters = (own + global).compactMap(\.letter)
    #expect(Set(names).count == names.count)
    #expect(Set(letters).count == letters.count)
    let commands = path.last.subcommands.map { $0.name }
    #expect(Set(commands).count == commands.count)
  }

  /// Whether a command means something else by a global option behind it: to settle a conflict,
  /// `--server` names a side, and `--version` a number in a list.
  private static func isHidden(_ name: String, by command: String) -> Bool {
    ["stories resolve --server", "stories restore --version"].contains("\(command) --\(name)")
  }

  /// An argument that takes all words must be the last one, and required ones come first.
  @Test(arguments: all.indices)
  func argumentsCanBePlaced(index: Int) {
    let arguments = Self.all[index].last.declarations.filter(\.isArgument)
    #expect(arguments.dropLast().allSatisfy { !$0.isRepeatable })
    let firstOptional = arguments.firstIndex { !$0.isRequired } ?? arguments.count
    #expect(arguments[firstOptional...].allSatisfy { !$0.isRequired })
  }

  @Test(arguments: all.indices)
  func examplesAreUnderstood(index: Int) throws {
    for example in Self.all[index].last.examples {
      let words = Self.words(example.line).drop { $0.contains("=") }
      #expect(words.first == "stories", "\(example.line)")
      #expect(throws: Never.self, "\(example.line)") {
        _ = try CommandParser(root: StoriesCommand.self).parse(Array(words.dropFirst()))
      }
    }
  }

  /// A line as a shell splits it, as far as spaces and quotes go.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in line + " " {
      switch (quote, character) {
      case (nil, "\""), (nil, "'"): quote = character
      case (let open?, character) where open == character: quote = nil
      case (nil, " "):
        if !word.isEmpty { words.append(word) }
        word = ""
      default: word.append(character)
      }
    }
    return words
  }
}
