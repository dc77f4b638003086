import JSONText
import StoryLibrary

/// The titles and descriptions of kinds and fields in JSON Schemas.
enum FieldWords {
  struct Words: Sendable {
    var title: String
    var description: String
    var examples: [JSONValue] = []
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
        title: "Id of the \(target.schema.noun)",
        description:
          "The server's id of \(target.schema.nounWithArticle) without a file in this library. With a file,"
          + " name it under “\(field.key)” instead.")
    }
    return (table[kind]?[key] ?? common[key]) ?? Words(title: key, description: key)
  }

  private static let common: [String: Words] = [
    "isFavorite": Words(title: "Favorite", description: "Whether this is a favorite.")
  ]

  private static let table: [EntityKind: [String: Words]] = [
    .heroes: [
      "name": Words(
        title: "Name", description: "The hero's name, as stories call it.",
        examples: ["Luna", "Captain Otto"]),
      "age": Words(
        title: "Age", description: "The hero's age in years, from 3 to 12.", examples: [7]),
      "traits": Words(
        title: "Traits", description: "What the hero is like, in a word or a few each.",
        examples: [["brave", "curious"]]),
      "specialAbility": Words(
        title: "Special ability", description: "What only this hero can do; several as an array.",
        examples: ["talks to stars"]),
      "appearance": Words(
        title: "Appearance", description: "How the hero looks, for pictures.",
        examples: ["a small girl with a red scarf"]),
      "hairColor": Words(
        title: "Hair color", description: "The color of the hero's hair.", examples: ["black"]),
      "eyeColor": Words(
        title: "Eye color", description: "The color of the hero's eyes.", examples: ["green"]),
      "skinTone": Words(
        title: "Skin tone", description: "The tone of the hero's skin.", examples: ["light brown"]),
      "height": Words(
        title: "Height", description: "How tall the hero is, in words or numbers.",
        examples: ["small", "1.20 m"]),
    ],
    .stories: [
      "title": Words(
        title: "Title", description: "The story's title.", examples: ["The First Snow"]),
      "hero": Words(
        title: "Hero", description: "The hero's file: its path below heroes/, without .json.",
        examples: ["luna", "family/otto"]),
      "event": Words(
        title: "Event",
        description: "The file of the event that the story is about: its path below events/,"
          + " without .json.", examples: ["lost-tooth"]),
      "eventType": Words(
        title: "Type of event", description: "One of the events that every server knows.",
        examples: ["bedtime"]),
      "language": Words(
        title: "Language", description: "The language of the text.", examples: ["en"]),
      "content": Words(
        title: "Text",
        description:
          "The story itself: an array with one line or paragraph for each element, or one"
          + " string. `stories edit --text` opens it as prose.",
        examples: [["Luna woke up and the window was white.", "", "It came at night."]]),
      "playCount": Words(
        title: "Readings", description: "How often the story was read or heard.", examples: [0]),
    ],
    .events: [
      "title": Words(
        title: "Title", description: "The event's title.", examples: ["A Lost Tooth"]),
      "description": Words(
        title: "Description", description: "What happens, for the people who choose an event.",
        examples: ["The first tooth falls out."]),
      "promptSeed": Words(
        title: "Prompt", description: "What a storyteller is told that the story should be about.",
        examples: ["A tooth falls out, and nobody knows where it went."]),
      "category": Words(
        title: "Category", description: "A word to sort events by.", examples: ["general"]),
      "ageRange": Words(
        title: "Ages", description: "The ages that the event suits.", examples: ["4-8"]),
      "tone": Words(
        title: "Tone", description: "The tone of a story about it.", examples: ["cheerful", "calm"]),
      "keywords": Words(
        title: "Keywords", description: "Words to find the event by.",
        examples: [["tooth", "school"]]
      ),
    ],
  ]
}
