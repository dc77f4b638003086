import JSONText
import StoryLibrary

/// Lets an editor complete and check the fields of a library's records.
///
/// It writes the schemas to `.schemas/`, and an entry for each to the editor's settings in the library.
/// Settings that exist are kept as they are, byte for byte; entries are only added.
struct EditorSetup: Sendable {
  /// An editor that takes its settings from a folder.
  enum Editor: String, ChoiceArgument {
    case vscode, zed, neovim
  }

  /// A file and what became of it.
  struct File: Sendable, Encodable {
    enum State: String, Sendable, Encodable {
      case written, changed, unchanged
      /// It has to be changed by hand.
      case left
    }

    /// The path relative to the library's root.
    var path: String
    var state: State
  }

  static let folder = ".schemas"

  let editor: Editor
  let library: Library

  /// Writes what is missing.
  ///
  /// - Throws: `FileError`.
  func run(isDryRun: Bool) throws -> [File] {
    var files: [File] = []
    for kind in EntityKind.writable {
      let path = Self.path(of: kind)
      let old = try bytes(of: path)
      let isOurs =
        old.map {
          (try? JSONDocument(parsing: $0))?.root["$comment"]?.string == RecordSchema.comment
        } ?? true
      let new = isOurs ? RecordSchema(kind: kind).bytes : nil
      files.append(try write(new, over: old, path, isDryRun))
    }
    let old = try bytes(of: settingsPath)
    files.append(try write(settings(over: old), over: old, settingsPath, isDryRun))
    return files
  }

  static func path(of kind: EntityKind) -> String { "\(folder)/\(kind.schema.noun).json" }

  private func bytes(of path: String) throws -> [UInt8]? {
    let place = library.path(path)
    guard FileSystem.exists(place) else { return nil }
    return try FileSystem.read(place, limit: JSONDocument.maximumSize)
  }

  /// - Parameter new: The new content, or `nil` to leave the file alone.
  private func write(
    _ new: [UInt8]?, over old: [UInt8]?, _ path: String, _ isDryRun: Bool
  ) throws -> File {
    guard let new else { return File(path: path, state: .left) }
    guard new != old else { return File(path: path, state: .unchanged) }
    if !isDryRun {
      let place = library.path(path)
      try FileSystem.makeFolder(Path.parent(place))
      let expected: AtomicFile.Expectation = old.map { .content(ContentDigest($0)) } ?? .absent
      guard try AtomicFile.write(new, to: place, expecting: expected) == .done else {
        return File(path: path, state: .left)
      }
    }
    return File(path: path, state: old == nil ? .written : .changed)
  }

  // MARK: Settings

  private var settingsPath: String {
    switch editor {
    case .vscode: ".vscode/settings.json"
    case .zed: ".zed/settings.json"
    case .neovim: ".nvim.lua"
    }
  }

  /// The names of the objects around the list of schemas, and of the list.
  private var place: [String] {
    switch editor {
    case .vscode: ["json.schemas"]
    case .zed: ["lsp", "json-language-server", "settings", "json", "schemas"]
    case .neovim: []
    }
  }

  /// The entries for the schemas, which the language servers of all these editors understand.
  private var entries: [JSONValue] {
    EntityKind.writable.map { kind in
      [
        "fileMatch": [.string("\(kind.folder)/**/*.json"), "!**/.sync/*.json"],
        "url": .string("./" + Self.path(of: kind)),
      ]
    }
  }

  /// What a person adds to settings that could not be changed.
  var missingSettings: [UInt8] {
    guard editor != .neovim else { return luaSettings }
    return JSONValue.object(Self.adding(entries, at: place[...], to: JSONObject()) ?? JSONObject())
      .fileBytes()
  }

  /// Returns the settings with the entries, or `nil` if they cannot be added without a person.
  private func settings(over old: [UInt8]?) -> [UInt8]? {
    guard let old else { return missingSettings }
    guard editor != .neovim else { return old == luaSettings ? old : nil }
    if let comments = Self.onlyComments(old) { return comments + missingSettings }
    guard let document = try? JSONDocument(parsing: old), let root = document.root.value.object,
      let new = Self.adding(entries, at: place[...], to: root), let key = place.first
    else { return nil }
    return try? document.setting([(key, new[key])], order: [], brokenArrays: []).bytes
  }

  /// Returns the lines of settings that consist of comments, or `nil` if they have a value.
  private static func onlyComments(_ bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let start = rest.startIndex
    var end = start
    while true {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if rest.isEmpty { break }
      if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != 0x0A }
      } else if rest.starts(with: "/*".utf8),
        let close = rest.dropFirst(2).firstRange(of: "*/".utf8)
      {
        rest = rest[close.upperBound...]
      } else {
        return nil
      }
      end = rest.startIndex
    }
    return end == start ? [] : bytes[start..<end] + [0x0A]
  }

  /// Adds the entries whose schemas are not in the list yet; `nil` if other values are in the way.
  private static func adding(
    _ entries: [JSONValue], at place: ArraySlice<String>, to object: JSONObject
  ) -> JSONObject? {
    guard let key = place.first else { return nil }
    var result = object
    let old = object[key]
    if place.count > 1 {
      guard let inner = old == nil ? JSONObject() : old?.object,
        let new = adding(entries, at: place.dropFirst(), to: inner)
      else { return nil }
      result[key] = .object(new)
    } else {
      guard let list = old == nil ? [] : old?.array else { return nil }
      let known = Set(list.compactMap { $0.object?["url"]?.string })
      let missing = entries.filter { !known.contains($0.object?["url"]?.string ?? "") }
      result[key] = .array(list + missing)
    }
    return result
  }

  private var luaSettings: [UInt8] {
    let entries = EntityKind.writable.map { kind in
      """
            {
              fileMatch = { "\(kind.folder)/**/*.json", "!**/.sync/*.json" },
              url = "file://" .. vim.fn.getcwd() .. "/\(Self.path(of: kind))",
            },

      """
    }.joined()
    return Array(
      """
      -- Completes and checks the fields of records. Neovim reads this file if 'exrc' is set and you
      -- trust it, see :help exrc. "jsonls" is the language server vscode-json-language-server.
      vim.lsp.config("jsonls", {
        settings = {
          json = {
            validate = { enable = true },
            schemas = {
      \(entries)      },
          },
        },
      })
      vim.lsp.enable("jsonls")

      """.utf8)
  }
}

extension EditorSetup {
  /// Tells what became of the files, and what is left to do by hand.
  func write(_ files: [File], isDryRun: Bool, _ context: Context) {
    for file in files where file.state == .written || file.state == .changed {
      let verb = file.state == .written ? "write" : "change"
      let done = file.state == .written ? "Wrote" : "Changed"
      context.output.line("\(isDryRun ? "Would \(verb)" : done) \(shown(file, context))")
    }
    if files.allSatisfy({ $0.state == .unchanged }) {
      context.note("\(editor.rawValue) already completes and checks the fields of records.")
    }
    for file in files where file.state == .left {
      if file.path == settingsPath {
        context.note(
          "\(shown(file, context)) was left as it is, because nothing can be added to it without"
            + " knowing what is in it. Add this:")
        context.errors.sink.write(missingSettings)
      } else {
        context.note("\(shown(file, context)) was left as it is: `stories schema` did not write it")
      }
    }
  }

  private func shown(_ file: File, _ context: Context) -> String {
    context.shown(file.path, in: library)
  }
}
