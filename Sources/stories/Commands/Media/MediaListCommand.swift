import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync

/// `stories media list`: the local media files.
struct MediaListCommand: Command {
  static let name = "list"
  static let summary = "List the files on this machine"
  static let discussion =
    "Shows the kind and size of each file, when it was last used, and its record."

  /// Returns an age in whole days, from one day on.
  private static func age(_ age: Duration) -> String {
    let days = age.components.seconds / 86_400
    return days > 0 ? Phrases.count(Int(days), "day") : Phrases.span(age)
  }

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let media = Repositories(library, time: context.time) { _ in throw CommandError.noServer }.media
    let files = try media.files()
    let now = context.time.now()
    let total = files.reduce(0) { $0 + $1.file.size }
    if context.isJSON {
      let shown = files.map { file, ref in
        MediaText.members(of: file, ref) + [
          "usedAt": file.usedAt,
          "ageSeconds": max(.zero, now.duration(since: file.usedAt)).wholeSeconds,
        ]
      }
      context.output.json(Report(files: shown, size: total))
      return .done
    }
    guard !files.isEmpty else {
      let hasMedia = (try? context.serverSetting(library).checkMedia(of: library)) != nil
      context.output.line(
        context.runnable(
          "No files on this machine." + (hasMedia ? " Fetch them: stories media pull" : "")))
      return .done
    }
    var table = Table(indent: 0)
    for (file, ref) in files {
      table.add(
        Text(file.kind.noun), Text(Phrases.size(file.size)),
        Text(Self.age(max(.zero, now.duration(since: file.usedAt)))),
        Text(ref.description, .strong))
    }
    table.write(to: context.output)
    context.output.line()
    context.output.line("\(Phrases.count(files.count, "file")), \(Phrases.size(total)).")
    return .done
  }

  private struct Report: Encodable {
    let schema = "stories.media-list/1"
    var files: [Members]
    var size: Int
  }
}
