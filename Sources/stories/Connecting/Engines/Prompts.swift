import StoryLibrary
import StoryServer

/// The prompts for engines, which users can change: `prompts/NAME.txt` in the user's configuration
/// folder overrides the built-in one.
///
/// `{{word}}` is replaced with a value; a line with an empty value is omitted.
struct Prompts: Sendable {
  enum Name: String, ChoiceArgument {
    case story, avatar, scene
  }

  let folder: String?

  /// Returns the path of the user's version of a prompt.
  func path(_ name: Name) -> String? { folder.map { Path.join($0, name.rawValue + ".txt") } }

  /// Returns a prompt before values are filled in, and whether it is the user's.
  ///
  /// - Throws: `FileError` if the user's file cannot be read.
  func template(_ name: Name) throws(FileError) -> (text: String, isOwn: Bool) {
    if let path = path(name), FileSystem.exists(path) {
      return (String(decoding: try FileSystem.read(path, limit: 1 << 20), as: UTF8.self), true)
    }
    return (Self.text(of: name), false)
  }

  /// Returns a prompt with its values filled in.
  ///
  /// - Throws: `EngineError.prompt` for an unreadable file, and for a word without a value.
  func text(_ name: Name, _ values: [String: String]) throws(EngineError) -> String {
    let template: String
    do throws(FileError) { template = try self.template(name).text } catch {
      throw .prompt("cannot read \(error.path): \(error.reason)")
    }
    var lines: [String] = []
    for (number, line) in template.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      var result = ""
      var rest = line
      var isEmpty = false
      while let open = rest.firstRange(of: "{{"),
        let close = rest[open.upperBound...].firstRange(of: "}}")
      {
        let word = String(rest[open.upperBound..<close.lowerBound])
        guard Self.words(name).contains(word) else {
          throw .prompt(
            "\(path(name) ?? name.rawValue):\(number + 1): there is no value “\(word)”; "
              + "there are \(Self.words(name).joined(separator: ", "))")
        }
        let value = values[word] ?? ""
        isEmpty = isEmpty || value.isEmpty
        // Values are put on one line, so that they cannot look like another part of the prompt.
        result +=
          rest[..<open.lowerBound]
          + value.split(whereSeparator: \.isNewline)
          .joined(separator: " ")
        rest = rest[close.upperBound...]
      }
      if !isEmpty { lines.append(result + rest) }
    }
    return lines.joined(separator: "\n")
  }

  static func values(_ hero: StoryHero) -> [String: String] {
    [
      "name": hero.name, "age": hero.age.map(String.init) ?? "",
      "traits": hero.traits.joined(separator: ", "),
      "ability": hero.abilities.joined(separator: "; "),
      "looks": hero.looks.joined(separator: "; "),
    ]
  }

  /// Returns the words that a prompt may contain.
  static func words(_ name: Name) -> [String] {
    let hero = ["name", "age", "traits", "ability", "looks"]
    switch name {
    case .story:
      return hero + [
        "language", "event", "tone", "keywords", "ageRange", "earlier", "scenes", "words",
      ]
    case .avatar: return hero + ["wish"]
    case .scene: return hero + ["scene", "title"]
    }
  }

  private static func text(of name: Name) -> String {
    switch name {
    case .story:
      """
      You write stories that are read to children. Write one story in {{language}}.

      The hero: {{name}}
      Age: {{age}}
      Traits: {{traits}}
      Special ability: {{ability}}
      Looks: {{looks}}
      What happens: {{event}}
      Mood: {{tone}}
      Words that belong in it: {{keywords}}
      For readers aged {{ageRange}}
      Earlier stories of this hero, which it does not repeat: {{earlier}}

      - About {{words}} words in short paragraphs, with a small trouble and a calm, happy end.
      - The hero is what is said above, be it a child, an animal or a machine. Leave open what is not said.
      - Nothing cruel or frightening; sentences that sound well when they are read aloud.
      - All of it in {{language}}, even if the words above are in another language.
      - {{scenes}} scenes to illustrate, spread over the story. Each has the number of its paragraph and \
      says, in English, what is seen: who is there and does what, where it is, and the light.

      Answer with one JSON object and nothing else:
      {"title": "…", "paragraphs": ["…"], "scenes": [{"paragraph": 1, "description": "…"}]}

      """
    case .avatar:
      """
      A picture for a children's book: {{name}}, alone, friendly, looking at the viewer.
      Age: {{age}}
      Looks: {{looks}}
      Traits: {{traits}}
      Special ability: {{ability}}
      {{wish}}
      Soft light, warm colours, a plain background. No text, no letters, no frame.

      """
    case .scene:
      """
      A picture for a children's book.
      The scene: {{scene}}
      {{name}} looks the same in every picture: {{looks}}
      Age of {{name}}: {{age}}
      Soft light, warm colours. No text, no letters, no frame.

      """
    }
  }
}
