import JSONText
import StoryLibrary
import StoryMedia

struct MediaPruneCommand: Command {
  /// A number of bytes: `500MB`, `2GiB`, `1000`.
  struct Size: ArgumentValue {
    var bytes: Int

    static func parse(_ word: String) throws(ValueProblem) -> Size {
      let units: [(String, Int)] = [
        ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30), ("KB", 1_000), ("MB", 1_000_000),
        ("GB", 1_000_000_000), ("B", 1), ("", 1),
      ]
      let upper = word.uppercased()
      for (unit, factor) in units where upper.hasSuffix(unit) {
        let digits = upper.dropLast(unit.count)
        guard let number = Int(digits), number >= 0, number <= Int.max / factor else { break }
        return Size(bytes: number * factor)
      }
      throw ValueProblem(expected: "a size such as 500MB or 2GiB")
    }
  }

  var size: Size?
  var isDryRun = false

  static let name = "prune"
  static let summary = "Remove files that were not used for a while"
  static let discussion = """
    Removes narrations that were not used for 30 days and pictures of scenes that were not used \
    for 14; avatars stay. If all files together exceed --max-size (2 GiB by default), the least \
    recently used are removed too. Files in use stay, and links are not followed. `stories media \
    pull` brings everything back.
    """
  static let examples = [Example("stories media prune --max-size 500MB", "down to that size")]
  static let parameters: [Parameter<MediaPruneCommand>] = [
    .option("max-size", value: "SIZE", \.size, help: "The total size to keep"),
    .flag("dry-run", \.isDryRun, help: "Show what would be removed, without removing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    var bounds = MediaBounds()
    if let size { bounds.totalSize = size.bytes }
    let prune = try MediaStore(library, time: context.time).prune(bounds, isDryRun: isDryRun)
    context.tell(prune) { write(prune, library, context) }
    return .done
  }

  private func write(_ prune: MediaPrune, _ library: Library, _ context: Context) {
    for removal in prune.removed {
      let why = removal.reason == .age ? "not used for a while" : "over the limit"
      context.output.line(
        Text(context.shown(removal.file.path, in: library)) + Text("  \(why)", .faint))
    }
    for file in prune.inUse {
      context.note("\(context.shown(file.path, in: library)) is in use and was kept.")
    }
    let size = prune.removed.reduce(0) { $0 + $1.file.size }
    let verb = prune.isDryRun ? "would be removed" : "removed"
    context.output.line(
      "\(Phrases.count(prune.removed.count, "file")) \(verb), \(Phrases.size(size)); "
        + "\(Phrases.count(prune.keptCount, "file")) kept, \(Phrases.size(prune.keptSize)).")
  }
}

extension MediaPrune: MemberEncodable {
  var members: Members {
    [
      "schema": "stories.media-prune/1", "dryRun": isDryRun,
      "removed": removed.map { $0.file.members(of: $0.file.ref) + ["reason": $0.reason] },
      "inUse": inUse.map { $0.members(of: $0.ref) }, "kept": keptCount, "keptSize": keptSize,
    ]
  }
}
