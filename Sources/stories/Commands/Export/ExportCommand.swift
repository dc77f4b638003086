struct ExportCommand: CommandFamily {
  static let name = "export"
  static let summary = "Write stories as web pages, a book or text files"
  static let discussion = """
    Without REF, everything is exported. A hero or an event stands for its stories, and a folder \
    for everything in it. The same library always gives the same bytes.

    Pages and books include the pictures and narrations that are on this machine; --pull fetches \
    the missing ones first.
    """
  static let examples = [
    Example("stories export html site", "a folder of pages: open site/index.html"),
    Example("stories export epub luna.epub luna", "a book of all stories about one hero"),
    Example("stories export markdown texts", "a text file for each story"),
  ]
  static let subcommands: [any Command.Type] = [
    ExportHTMLCommand.self, ExportEPUBCommand.self, ExportMarkdownCommand.self,
  ]
}
