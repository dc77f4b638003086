import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `stories-bench`: measures the program built next to it against limits that are measured in the
/// same rounds. See the page on performance.
@main
enum Main {
  static let help = """
    stories-bench [AREA…] [--records N] [--rounds N] [--json]

    Measures the program built next to this one against limits measured in the same run.

    \(Area.allCases.map { "  \($0.rawValue.padded(to: 8))\($0.summary)" }.joined(separator: "\n"))
    """

  static func main() async {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      switch options.mode {
      // A program that only starts, linked like this one and `stories`.
      case .empty: _ = URLRequest(url: URL(fileURLWithPath: "/"))
      case .help: print(help)
      case .measure:
        let bench = try Bench(options)
        defer { bench.clean() }
        for area in Area.allCases
        where options.areas.isEmpty ? area.isUsual : options.areas.contains(area) {
          try await area.measure(bench)
        }
        print(try options.isJSON ? bench.report.json() : bench.report.table)
      }
    } catch {
      FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
      exit(1)
    }
  }
}

struct Options {
  enum Mode { case measure, help, empty }

  var mode = Mode.measure
  var areas: Set<Area> = []
  var records = 5_000
  var rounds = 5
  var isJSON = false

  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--records", "--rounds":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
          throw BenchError("\(word) needs a number of at least 1")
        }
        if word == "--records" { records = number } else { rounds = number }
      case "--json": isJSON = true
      case "--help", "-h": mode = .help
      case "--empty": mode = .empty
      default:
        guard let area = Area(rawValue: word) else {
          let names = Area.allCases.map(\.rawValue).joined(separator: ", ")
          throw BenchError("unknown area \(word); the areas are \(names)")
        }
        areas.insert(area)
      }
    }
  }
}

/// A measurement that could not be made.
struct BenchError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
