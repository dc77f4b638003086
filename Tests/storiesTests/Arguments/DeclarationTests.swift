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
    for example in command.examples { #expect(example.line.hasPrefix("stories ")) }
  }

  @Test(arguments: all.indices)
  func namesAreUnique(index: Int) {
    let declarations = Self.all[index].last.declarations + GlobalOptions.declarations
    let options = declarations.filter { !$0.isArgument }
    let names = options.map(\.name).filter { !$0.isEmpty }
    let letters = options.compactMap(\.letter)
    #expect(Set(names).count == names.count)
    #expect(Set(letters).count == letters.count)
    #expect(
      Set(Self.all[index].last.subcommands.map { $0.name }).count
        == Self.all[index].last.subcommands.count)
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
      let words = Self.words(example.line).dropFirst()
      #expect(throws: Never.self) {
        _ = try CommandParser(root: StoriesCommand.self).parse(Array(words))
      }
    }
  }

  /// A line as a shell splits it, as far as quotes go.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (place, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if place % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(separator: " ").map(String.init)
      }
    }
    return words
  }
}
