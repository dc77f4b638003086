import Foundation
import TestSupport

/// Kills the built program at a chosen change to a folder, by a small library that is preloaded into
/// it (`Tests/CStopPoints`). The program itself knows nothing of it.
enum KillPoints {
  /// The library; `nil` where this system cannot preload one, or where no C compiler is found.
  static let library: String? = build()

  /// Why tests that need it do not run.
  static let reason = "needs Linux and clang, which comes with the Swift toolchain"

  /// The program with a watched folder.
  ///
  /// - Parameters:
  ///   - call: the change that is not made any more, counted from 1; 0 for none.
  ///   - tears: whether half of that change is still made: of the bytes that are written, or, on a
  ///     drive, of a rename over a file, which removes that file first.
  ///   - isOnDrive: whether the folder counts as one on a drive with exFAT, where no names are exchanged.
  ///   - log: where the program writes what its changes were, a letter each, `w` for a write.
  static func arm(
    _ program: BuiltProgram, _ folder: String, at call: Int = 0, tears: Bool = false,
    isOnDrive: Bool = false, log: String? = nil
  ) -> BuiltProgram {
    var program = program
    program.environment["LD_PRELOAD"] = library
    program.environment["STOP_POINTS_ROOT"] = folder
    program.environment["STOP_POINTS_AT"] = String(call)
    if tears { program.environment["STOP_POINTS_TEARS"] = "1" }
    if isOnDrive { program.environment["STOP_POINTS_DRIVE"] = "1" }
    program.environment["STOP_POINTS_LOG"] = log
    return program
  }

  /// Compiles it beside the tests; once for each version of its source.
  private static func build() -> String? {
    #if os(Linux)
      let tests = (#filePath as NSString).pathComponents.dropLast(3)
      let source = NSString.path(withComponents: tests + ["CStopPoints", "stop_points.c"])
      guard let compiler = compiler(), let text = FileManager.default.contents(atPath: source)
      else { return nil }
      let hash = text.reduce(into: UInt64(14_695_981_039_346_656_037)) {
        $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211
      }
      let folder = (BuiltProgram.path as NSString).deletingLastPathComponent
      let result = "\(folder)/stop-points-\(String(hash, radix: 16)).so"
      if FileManager.default.fileExists(atPath: result) { return result }
      // Under a name of its own first: two test runs may do this at once.
      let fresh = "\(result).\(ProcessInfo.processInfo.processIdentifier)"
      let words = [
        compiler, "-shared", "-fPIC", "-O1", "-DSTOP_POINTS_KILL",
        "-I\(NSString.path(withComponents: tests + ["CStopPoints", "include"]))", "-o", fresh,
        source, "-ldl",
      ]
      let running = try? RunningProgram(ProgramStart(words: words, folder: "/"))
      guard running?.wait().code == 0, rename(fresh, result) == 0 else { return nil }
      return result
    #else
      return nil
    #endif
  }

  private static func compiler() -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init)
    return ["clang", "cc"].lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
