/// The manual page of a command, in the macros of man(7), from the same declarations as its help.
struct ManPage: Sendable {
  private let path: CommandPath
  private var lines: [String] = []

  init(_ path: CommandPath) {
    self.path = path
    lines = [
      ".TH \(Self.quoted(name.uppercased())) 1 \"\(ProgramVersion.date)\""
        + " \(Self.quoted("stories \(ProgramVersion.text)")) \(Self.quoted("stories"))",
      ".SH NAME",
      Self.escaped(name) + " \\-",
    ]
    lines += Self.prose(path.last.summary)
    lines += [".SH SYNOPSIS", ".B \(Self.escaped(path.text))"]
    lines += Self.prose(path.helpSynopsis.dropFirst().map(\.plain).joined(separator: " "))
    lines.append(".SH DESCRIPTION")
    lines += Self.prose(path.paragraphs.first ?? path.last.summary + ".")
    for paragraph in path.paragraphs.dropFirst() { lines += [".PP"] + Self.prose(paragraph) }
    write("COMMANDS", path.last.subcommands.map { ($0.name, $0.summary) })
    for (heading, declarations) in path.parameterSections {
      write(heading.uppercased(), declarations.map { ($0.names, $0.explanation) })
    }
    write("EXAMPLES", path.last.examples.map { ($0.line, $0.purpose) })
    writeFoot()
  }

  /// The page's name without its section: `stories-git-setup`.
  var name: String { Self.name(of: path) }

  var fileName: String { name + ".1" }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private static func name(of path: CommandPath) -> String {
    path.commands.map { $0.name }.joined(separator: "-")
  }

  // MARK: Sections

  private mutating func write(_ heading: String, _ entries: [(term: String, text: String)]) {
    guard !entries.isEmpty else { return }
    lines.append(".SH \(Self.quoted(heading))")
    for (term, text) in entries {
      lines += [".TP", ".B \(Self.escaped(term))"] + Self.prose(text + ".")
    }
  }

  private mutating func writeFoot() {
    if path.commands.count == 1 {
      lines.append(".SH \"EXIT STATUS\"")
      lines += Self.prose(
        "0 done; 1 a record failed; 2 wrong usage; 3 conflicts are left; 4 stopped for safety;"
          + " 5 sign in first; 6 the server cannot be reached; 130 interrupted.")
    }
    var others = path.last.subcommands.map { Self.name(of: CommandPath(path.commands + [$0])) }
    if path.commands.count > 1 {
      others.insert(Self.name(of: CommandPath(path.commands.dropLast())), at: 0)
    }
    guard !others.isEmpty else { return }
    lines.append(".SH \"SEE ALSO\"")
    for (place, other) in others.enumerated() {
      lines.append(".BR \(Self.escaped(other)) (1)" + (place == others.count - 1 ? "" : ","))
    }
  }

  // MARK: roff

  /// Returns text in ASCII that roff shows as it is: a backslash and a dash have a meaning, and so has
  /// a full stop or an apostrophe at the start of a line (groff_char(7), man(7)).
  private static func escaped(_ text: String) -> String {
    let marks = PlainASCII.text(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return (marks.hasPrefix(".") || marks.hasPrefix("'") ? "\\&" : "") + marks
  }

  /// Returns text in lines of at most 80 bytes.
  private static func prose(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    return Text(PlainASCII.text(text)).wrapped(to: 60).map { escaped($0.plain) }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
  }
}
