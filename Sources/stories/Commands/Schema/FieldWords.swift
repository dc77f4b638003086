import JSONText
import StoryLibrary

/// The titles and descriptions of kinds and fields in JSON Schemas.
enum FieldWords {
  struct Words: Sendable {
    var description: String
    /// The title, if it is not made from the key.
    var title: String?
    var examples: [JSONValue] = []

    init(_ description: String, title: String? = nil, examples: [JSONValue] = []) {
      self.description = description
      self.title = title
      self.examples = examples
    }
  }

  static func description(of kind: EntityKind) -> String {
    switch kind {
    case .heroes: "A hero of bedtime stories, and how a picture should show it."
    case .events: "An event that a story can be about."
    case .stories: "A bedtime story about a hero. Without a text it is a draft, and is not sent."
    case .illustrations: "A picture of a story's scene, made by the server."
    }
  }

  static func words(of field: Field, _ key: String, in kind: EntityKind) -> Words {
    if let target = field.referencedKind, key != field.key {
      return Words(
        "The server's id of \(target.schema.nounWithArticle) without a file in this library. With a file,"
          + " name it under “\(field.key)” instead.", title: "Id of the \(target.schema.noun)")
    }
    if key == "isFavorite" { return Words("Whether this is a favorite.", title: "Favorite") }
    return table[kind]?[key] ?? Words(key, title: key)
  }

  private static let table: [EntityKind: [String: Words]] = [
    .heroes: [
      "name": Words("The hero's name, as stories call it.", examples: ["Luna", "Captain Otto"]),
      "age": Words("The hero's age in years, from 3 to 12.", examples: [7]),
      "traits": Words(
        "What the hero is like, in a word or a few each.", examples: [["brave", "curious"]]),
      "specialAbility": Words(
        "What only this hero can do; several as an array.", examples: ["talks to stars"]),
      "appearance": Words(
        "How the hero looks, for pictures.", examples: ["a small girl with a red scarf"]),
      "hairColor": Words("The color of the hero's hair.", examples: ["black"]),
      "eyeColor": Words("The color of the hero's eyes.", examples: ["green"]),
      "skinTone": Words("The tone of the hero's skin.", examples: ["light brown"]),
      "height": Words("How tall the hero is, in words or numbers.", examples: ["small", "1.20 m"]),
    ],
    .stories: [
      "title": Words("The story's title.", examples: ["The First Snow"]),
      "hero": Words(
        "The hero's file: its path below heroes/, without .json.",
        examples: ["luna", "family/otto"]),
      "event": Words(
        "The file of the event that the story is about: its path below events/,"
          + " without .json.", examples: ["lost-tooth"]),
      "eventType": Words(
        "One of the events that every server knows.", title: "Type of event", examples: ["bedtime"]),
      "language": Words("The language of the text.", examples: ["en"]),
      "content": Words(
        "The story itself: an array with one line or paragraph for each element, or one"
          + " string. `stories edit --text` opens it as prose.", title: "Text",
        examples: [["Luna woke up and the window was white.", "", "It came at night."]]),
      "playCount": Words(
        "How often the story was read or heard.", title: "Readings", examples: [0]),
    ],
    .events: [
      "title": Words("The event's title.", examples: ["A Lost Tooth"]),
      "description": Words(
        "What happens, for the people who choose an event.",
        examples: ["The first tooth falls out."]),
      "promptSeed": Words(
        "What the storyteller should write about.", title: "Prompt",
        examples: ["A tooth falls out, and nobody knows where it went."]),
      "category": Words("A word to sort events by.", examples: ["general"]),
      "ageRange": Words("The ages that the event suits.", title: "Ages", examples: ["4-8"]),
      "tone": Words("The tone of a story about it.", examples: ["cheerful", "calm"]),
      "keywords": Words("Words to find the event by.", examples: [["tooth", "school"]]),
    ],
  ]
}
