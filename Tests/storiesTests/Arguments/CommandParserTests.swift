import TestSupport
import Testing

@testable import stories

@Suite struct CommandParserTests {
  private let parser = CommandParser(root: SampleProgram.self)

  /// A command line that is understood, and what it says.
  struct Good: Sendable, CustomTestStringConvertible {
    var line: [String]
    var change: @Sendable (inout PaintCommand) -> Void
    var testDescription: String { line.joined(separator: " ") }

    init(_ line: String, _ change: @escaping @Sendable (inout PaintCommand) -> Void) {
      self.line = line.split(separator: " ").map(String.init)
      self.change = change
    }
  }

  @Test(arguments: [
    Good("paint door") { _ in },
    Good("paint door wall roof") { $0.others = ["wall", "roof"] },
    Good("paint door --dry") { $0.isDry = true },
    Good("paint --dry door") { $0.isDry = true },
    Good("paint door -df") {
      $0.isDry = true
      $0.isFast = true
    },
    Good("paint door -c -cc --careful") { $0.care = 4 },
    Good("paint door --coats 3") { $0.coats = 3 },
    Good("paint door --coats=3") { $0.coats = 3 },
    Good("paint door --coats -3") { $0.coats = -3 },
    Good("paint door --coats 3 --coats 4") { $0.coats = 4 },
    Good("paint door -s dark") { $0.shade = .dark },
    Good("paint door -sdark") { $0.shade = .dark },
    Good("paint door -s=dark") { $0.shade = .dark },
    Good("paint door -dsdark") {
      $0.isDry = true
      $0.shade = .dark
    },
    Good("paint door -t brush --tool=roll -t a=b") { $0.tools = ["brush", "roll", "a=b"] },
    Good("paint door --tool=") { $0.tools = [""] },
    Good("paint door --tool=--dry") { $0.tools = ["--dry"] },
    Good("paint door --tool -") { $0.tools = ["-"] },
    Good("paint door -") { $0.others = ["-"] },
    Good("paint door -- --dry -x --") { $0.others = ["--dry", "-x", "--"] },
    Good("--json -q paint door -v") { _ in },
  ])
  func understands(_ good: Good) throws {
    guard case .run(let command, let path, _) = try parser.parse(good.line) else {
      Issue.record("not a run")
      return
    }
    var expected = PaintCommand()
    expected.place = "door"
    good.change(&expected)
    #expect(command as? PaintCommand == expected)
    #expect(path.text == "sample paint")
  }

  /// A command line that is not understood, and why.
  struct Bad: Sendable, CustomTestStringConvertible {
    var line: [String]
    var reason: UsageError.Reason
    var path: String
    var testDescription: String { line.joined(separator: " ") }

    init(_ line: String, _ reason: UsageError.Reason, in path: String = "sample paint") {
      self.line = line.split(separator: " ").map(String.init)
      self.reason = reason
      self.path = path
    }
  }

  @Test(arguments: [
    Bad("", .missingCommand, in: "sample"),
    Bad("wall", .missingCommand, in: "sample wall"),
    Bad("piant", .unknownCommand("piant", nearest: "paint"), in: "sample"),
    Bad("zzz", .unknownCommand("zzz", nearest: nil), in: "sample"),
    Bad("wall rise", .unknownCommand("rise", nearest: "raise"), in: "sample wall"),
    Bad("-- paint", .unknownCommand("paint", nearest: "paint"), in: "sample"),
    Bad("paint", .missingArgument("PLACE")),
    Bad("paint --dry", .missingArgument("PLACE")),
    Bad("wall raise", .missingArgument("HEIGHT"), in: "sample wall raise"),
    Bad("wall raise 3 4", .unexpectedArgument("4"), in: "sample wall raise"),
    Bad(
      "wall raise tall", .wrongValue(of: "HEIGHT", "tall", .init(expected: "a whole number")),
      in: "sample wall raise"),
    Bad("paint door --dri", .unknownOption("--dri", nearest: "--dry")),
    Bad("paint door --zzz", .unknownOption("--zzz", nearest: nil)),
    Bad("paint door --zzz=1", .unknownOption("--zzz", nearest: nil)),
    Bad("paint door -x", .unknownOption("-x", nearest: nil)),
    Bad("paint door -dx", .unknownOption("-x", nearest: nil)),
    Bad("paint door -json", .unknownOption("-json", nearest: "--json")),
    Bad("--dry paint door", .optionTooEarly("--dry", of: "sample paint"), in: "sample"),
    Bad("paint door --dry=1", .unexpectedValue(of: "--dry")),
    Bad("paint door --coats", .missingValue(of: "--coats", "N")),
    Bad("paint door --coats --dry", .missingValue(of: "--coats", "N")),
    Bad("paint door -s", .missingValue(of: "--shade", "light|dark")),
    Bad("-C", .missingValue(of: "-C", "DIR"), in: "sample"),
    Bad(
      "paint door --coats x", .wrongValue(of: "--coats", "x", .init(expected: "a whole number"))),
    Bad(
      "paint door -s drak",
      .wrongValue(of: "--shade", "drak", .init(expected: "light or dark", nearest: "dark"))),
    Bad(
      "paint door --color red",
      .wrongValue(of: "--color", "red", .init(expected: "auto, always or never"))),
  ])
  func refuses(_ bad: Bad) {
    do {
      _ = try parser.parse(bad.line)
      Issue.record("it was understood")
    } catch {
      #expect(error.reason == bad.reason)
      #expect(error.path?.text == bad.path)
    }
  }

  @Test(arguments: [
    ("--help", "sample"), ("-h", "sample"), ("paint --help", "sample paint"),
    ("--help paint", "sample paint"), ("wall raise -h", "sample wall raise"),
    // Whoever asks for help gets it, whatever else is wrong.
    ("paint door --zzz --help", "sample paint"), ("paint --coats -h", "sample paint"),
    ("wall -h", "sample wall"),
  ])
  func helpWins(line: String, path: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard case .help(let found, _) = try parser.parse(words) else {
      Issue.record("no help")
      return
    }
    #expect(found.text == path)
  }

  @Test func helpBehindTwoDashesIsAWord() throws {
    guard case .run(let command, _, _) = try parser.parse(["paint", "--", "--help"]) else {
      Issue.record("not a run")
      return
    }
    #expect((command as? PaintCommand)?.place == "--help")
  }

  @Test func globalOptionsStandOnBothSides() throws {
    let line = ["-C", "lib", "--server", "embedded", "paint", "-v", "door", "--json", "-vq"]
    guard case .run(_, _, let global) = try parser.parse(line) else {
      Issue.record("not a run")
      return
    }
    var expected = GlobalOptions()
    expected.folder = "lib"
    expected.server = "embedded"
    expected.verbosity = 2
    expected.isJSON = true
    expected.isQuiet = true
    #expect(global == expected)
  }

  @Test func versionNeedsNoCommand() throws {
    guard case .version = try parser.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
  }

  @Test(
    "a word of another tool gets the command that does it",
    arguments: [
      ("push", "sync push"), ("pull", "sync pull"), ("psuh", "sync push"), ("ls", "list"),
      ("commit", "sync"), ("comit", "sync"), ("login", "sign-in"), ("rename", "mv"),
      ("sttaus", "status"),
    ])
  func foreignWords(word: String, command: String) {
    let parser = CommandParser(root: StoriesCommand.self)
    #expect(throws: UsageError.self) {
      do throws(UsageError) {
        _ = try parser.parse([word])
      } catch {
        #expect(error.reason == .unknownCommand(word, nearest: command))
        throw error
      }
    }
  }

  @Test("every suggested command exists")
  func suggestions() throws {
    let path = CommandPath([StoriesCommand.self])
    for (word, command) in StoriesCommand.foreignWords {
      let words = command.split(separator: " ").map(String.init)
      #expect(path.child(words[0]) != nil, "\(word): \(command)")
      #expect(path.child(word) == nil, "\(word) is a command")
    }
  }
}
