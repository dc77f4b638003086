struct MediaCommand: CommandFamily {
  static let name = "media"
  static let summary = "Fetch, list and prune avatars, narrations and illustrations"
  static let discussion = """
    The files are in .stories/media, named after their records. You can remove them at any time \
    and fetch them again. Nothing is fetched until you ask for it.
    """
  static let examples = [
    Example("stories media pull", "all files of all records"),
    Example("stories media pull stories/first-snow", "the narration and pictures of one story"),
  ]
  static let subcommands: [any Command.Type] = [
    MediaPullCommand.self, MediaListCommand.self, MediaPruneCommand.self,
  ]
}
