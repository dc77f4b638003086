/// What the command line of the benchmark asks for.
struct BenchOptions: Sendable {
  /// The areas to measure; empty for all.
  var areas: Set<String> = []
  /// How many records the libraries have.
  var records = 5_000
  /// How often each measurement is made.
  var rounds = 5
  /// Whether the result is JSON.
  var isJSON = false
  /// Whether only the help is asked for.
  var showsHelp = false

  /// What is wrong with a command line.
  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  static var help: String {
    let areas = Areas.all.map { area in
      let name = area.name + String(repeating: " ", count: max(1, 10 - area.name.count))
      return "  \(name)\(area.summary)"
    }
    return """
      stories-bench [AREA…] [--records N] [--rounds N] [--json]

      Measures the program built beside it against limits measured in the same run.

      \(areas.joined(separator: "\n"))
      """
  }

  /// Reads a command line.
  ///
  /// - Throws: `Problem`.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--records": records = try Self.number(rest.popFirst(), after: word)
      case "--rounds": rounds = try Self.number(rest.popFirst(), after: word)
      case "--json": isJSON = true
      case "--help", "-h": showsHelp = true
      default:
        let names = Areas.all.map { $0.name }
        guard names.contains(word) else {
          let names = names.joined(separator: ", ")
          throw Problem(description: "there is no area \(word); there are \(names)")
        }
        areas.insert(word)
      }
    }
  }

  private static func number(_ word: String?, after option: String) throws -> Int {
    guard let value = word.flatMap({ Int($0) }), value > 0 else {
      throw Problem(description: "\(option) needs a number from 1 on")
    }
    return value
  }
}
