import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        print(BenchOptions.help)
        return
      }
      let bench = try Bench(options)
      defer { bench.clean() }
      for area in Areas.all where options.areas.isEmpty || options.areas.contains(area.name) {
        do {
          try await area.measure(bench)
        } catch {
          bench.note("\(area.name): \(error)")
          bench.failed.append(area.name)
        }
      }
      let report = BenchReport(bench)
      print(options.isJSON ? report.json : report.table)
      if !bench.failed.isEmpty { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
      exit(2)
    }
  }
}
