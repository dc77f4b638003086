import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia

struct MediaListCommand: Command {
  static let name = "list"
  static let summary = "List the files on this machine"
  static let discussion =
    "Shows the kind and size of each file, when it was last used, and its record."

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let now = context.time.now()
    let files = try context.localMedia(of: library).files().map { file, ref in
      (file: file, ref: ref, age: max(.zero, now.duration(since: file.usedAt)))
    }
    let total = files.reduce(0) { $0 + $1.file.size }
    let report: Members = [
      "schema": "stories.media-list/1",
      "files": files.map { file, ref, age in
        file.members(of: ref) + ["usedAt": file.usedAt, "ageSeconds": age.wholeSeconds]
      }, "size": total,
    ]
    context.tell(report) {
      guard !files.isEmpty else {
        let hasMedia = (try? context.serverSetting(library).checkMedia(of: library)) != nil
        let pull = hasMedia ? " Fetch them: stories media pull" : ""
        return context.output.line(context.runnable(Text("No files on this machine." + pull)))
      }
      var table = Table(indent: 0)
      for (file, ref, age) in files {
        let days = Int(age.components.seconds / 86_400)
        table.add(
          Text(file.kind.noun), Text(Phrases.size(file.size)),
          Text(days > 0 ? Phrases.count(days, "day") : Phrases.span(age)),
          Text(ref.description, .strong))
      }
      table.write(to: context.output)
      context.output.line()
      context.output.line("\(Phrases.count(files.count, "file")), \(Phrases.size(total)).")
    }
    return .done
  }
}
