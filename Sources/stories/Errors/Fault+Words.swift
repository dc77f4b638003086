import JSONText
import StoryLibrary

extension Problem.Staged {
  func words(_ file: String) -> Problem.Words {
    switch self {
    case .unreadable: .init("git does not return its staged text")
    case .noConfiguration:
      .init(
        "is removed, and without it this is not a library",
        "keep it: git restore --staged \(file)")
    case .configurationNotAFile: .init("is staged as something other than a file")
    case .sidecar(let ref):
      .init("is staged without its record", Self.adding(ref.path, ref.sidecarPath))
    case .leftSidecar(let ref):
      .init(
        "this sidecar has no record: clones that had it delete it on the server, others restore it",
        "to delete it for everyone, push first, or run: stories rm \(ref.word)")
    case .record(let ref):
      .init(
        "is staged without its sidecar, so other clones treat it as a new record",
        Self.adding(ref.sidecarPath))
    case .olderRecord(let ref):
      .init(
        "is staged without its record, so other clones treat the older record as an edit",
        Self.adding(ref.path))
    }
  }

  private static func adding(_ paths: String...) -> String {
    "stage both: git add " + paths.map(ShellWord.quoting).joined(separator: " ")
  }
}

extension StoryText.Fault {
  var words: Problem.Words {
    switch self {
    case .notUTF8: .init("this line is not valid UTF-8", "save the file as UTF-8")
    case .openFrontMatter:
      .init(
        "the front matter that starts here does not end",
        "write --- on a line of its own below it, or remove this line")
    case .strayLine:
      .init("this line is not part of a field", "write it like “title: The Night Train”")
    case .notAField:
      .init(
        "this is not a field",
        "write it like “title: The Night Train”, or end the front matter above it with ---")
    case .twice(let key): .init("the field “\(key)” occurs twice", "keep one of the two")
    case .textInFrontMatter(let key):
      .init("“\(key)” cannot be in the front matter", "write the text below it")
    case .openList: .init("this list does not end", "close it with “]”")
    case .noComma: .init("this list needs a comma or “]” here", "put texts with commas in quotes")
    case .openQuote:
      .init(
        "this quote is not closed",
        "close it on the same line, and write \\n in double quotes for a line break")
    case .escape: .init("unknown escape sequence", #"write \\ for a backslash"#)
    case .notACharacter: .init("not a Unicode character")
    case .textAfterValue: .init("unexpected text after the value", "put the whole text in quotes")
    case .notASingleText(let key):
      .init("“\(key)” must be a single text", "write it on one line, in quotes")
    }
  }
}

extension Sidecar.Fault {
  var words: String {
    switch self {
    case .notAnObject(let name): "\(name.map { "“\($0)”" } ?? "it") is not an object"
    case .missing(let name): "it has no “\(name)”"
    case .noFields: "“conflict” has no “fields”"
    case .unknownField(let name): "“conflict” names “\(name)”, which is not a field"
    case .wrongValue("delete"): "“delete” is neither true nor false"
    case .wrongValue("version"): "“version” must be a number of at least 1"
    case .wrongValue("conflict.deleted"): "“conflict.deleted” is neither “server” nor “here”"
    case .wrongValue(let name) where name.hasPrefix("refs."): "“\(name)” is not a string"
    case .wrongValue(let name): "“\(name)” must be a string that is not empty"
    case .wrongType(let name, let expected, let found):
      "“\(name)” must be \(expected.rawValue), but is \(found.words)"
    }
  }
}

extension JSONNode.Kind {
  /// The type with its article.
  var words: String {
    switch self {
    case .null: return "null"
    case .true, .false: return "true or false"
    case .number: return "a number"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }
}
