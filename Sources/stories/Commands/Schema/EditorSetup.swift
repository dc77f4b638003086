import JSONText
import StoryLibrary

/// Lets an editor complete and check the fields of a library's records.
///
/// It writes the schemas to `.schemas/`, and an entry for each to the editor's settings in the library.
/// Settings that exist are kept as they are, byte for byte; entries are only added.
struct EditorSetup: Sendable {
  enum Editor: String, ChoiceArgument {
    case vscode, zed, neovim
  }

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
    let plain = Self.plain(old)
    if let comments = Self.onlyComments(old, plain) { return comments + missingSettings }
    guard let document = try? JSONDocument(parsing: plain), let root = document.root.value.object,
      let new = Self.adding(entries, at: place[...], to: root), let key = place.first
    else { return nil }
    guard plain == old else { return inserting(new, into: old, document.root) }
    return try? document.setting([(key, new[key])], order: [], brokenArrays: []).bytes
  }

  /// Returns settings with comments as plain JSON of the same length: comments and trailing commas
  /// become spaces.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var index = 0
    var comma: Int?
    func blank(to end: Int) {
      for place in index..<end where bytes[place] != 0x0A { result[place] = 0x20 }
      index = end
    }
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: "//".utf8) {
        blank(to: rest.firstIndex(of: 0x0A) ?? bytes.count)
        continue
      }
      if rest.starts(with: "/*".utf8), let close = rest.dropFirst(2).firstRange(of: "*/".utf8) {
        blank(to: close.upperBound)
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        comma = nil
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: ","): comma = index
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma { result[comma] = 0x20 }
        comma = nil
      case 0x20, 0x09, 0x0A, 0x0D: break
      default: comma = nil
      }
      index += 1
    }
    return result
  }

  /// Returns the lines of settings that consist of comments, or `nil` if they have a value.
  private static func onlyComments(_ bytes: [UInt8], _ plain: [UInt8]) -> [UInt8]? {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard plain[start...].allSatisfy(isBlank) else { return nil }
    guard let last = bytes[start...].lastIndex(where: { !isBlank($0) }) else { return [] }
    return bytes[start...last] + [0x0A]
  }

  /// Returns settings with comments to which the new members are added, at the start of an object
  /// or of the list that exists already; the rest stays byte for byte.
  private func inserting(_ new: JSONObject, into old: [UInt8], _ root: JSONNode) -> [UInt8]? {
    var node = root
    var value = JSONValue.object(new)
    var depth = 0
    while depth < place.count, let inner = node.member(place[depth])?.value,
      let next = value[place[depth]]
    {
      (node, value) = (inner, next)
      depth += 1
    }
    var parts: [[UInt8]]
    if depth < place.count {
      guard let member = value[place[depth]] else { return nil }
      parts = [Array("\(JSONValue.string(place[depth]).compactText): ".utf8) + member.fileBytes()]
    } else {
      parts = (value.array ?? []).dropFirst(node.elements.count).map { $0.fileBytes() }
      guard !parts.isEmpty else { return old }
    }
    let lead = [0x0A] + Array(repeating: UInt8(0x20), count: 2 * (depth + 1))
    parts = parts.map { part in
      part.dropLast().flatMap { $0 == 0x0A ? lead : [$0] }
    }
    var added = parts.flatMap { lead + $0 + [UInt8(ascii: ",")] }
    if node.members.isEmpty, node.elements.isEmpty { added.removeLast() }
    let start = node.range.lowerBound + 1
    return old[..<start] + added + old[start...]
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
                url = vim.uri_from_fname(vim.fn.getcwd() .. "/\(Self.path(of: kind))"),
              },

      """
    }.joined()
    return Array(
      """
      -- Completes and checks the fields of records. Neovim 0.11 or later reads this file if 'exrc' is
      -- set and you trust it, see :help exrc. The language server has to be installed:
      -- npm install --global vscode-langservers-extracted
      vim.lsp.config("jsonls", {
        cmd = { "vscode-json-language-server", "--stdio" },
        filetypes = { "json", "jsonc" },
        root_markers = { "library.json" },
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
          "\(shown(file, context)) was left as it is: the schemas could not be added to it. Add this"
            + " yourself:")
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
