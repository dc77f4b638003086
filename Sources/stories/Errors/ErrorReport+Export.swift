import StoryLibrary
import StoryPages

extension ErrorReport {
  init(mapping error: ExportError, in context: Context) {
    switch error {
    case .nothing:
      self.init(
        "nothing-to-export", "there are no stories to export",
        hint: "write one: stories new story TITLE", exitCode: .wrongUsage)
    case .folderInUse(let path):
      self.init(mapping: CommandError.folderInUse(path), in: context)
    case .notAFolder(let path):
      self.init(
        "not-a-folder", "\(context.shown(path)) is not a folder",
        hint: "choose a new or empty folder", exitCode: .wrongUsage)
    case .foreignFile(let path):
      self.init(
        "foreign-file",
        "\(context.shown(path)) exists and was not written by an export, or was edited since",
        hint: "move it, or choose another name", exitCode: .wrongUsage)
    case .insideLibrary(let path):
      self.init(
        "inside-library", "\(context.shown(path)) is part of the library",
        hint: "choose another folder, such as site", exitCode: .wrongUsage)
    case .unreadableManifest(let path):
      self.init(
        "bad-manifest",
        "\(context.shown(path)) is damaged, so the files of the earlier export are not known",
        hint: "restore it, or export to another folder", exitCode: .failed)
    case .changed(let ref):
      self.init(
        "changed-meanwhile", "\(ref) was changed during the export and can no longer be read",
        hint: "run the command again", exitCode: .failed)
    case .tooLarge:
      self.init(
        "book-too-large", "a book can have at most 4 GiB and 65,535 files",
        hint: "choose fewer stories, such as one folder or one hero", exitCode: .wrongUsage)
    }
  }
}
