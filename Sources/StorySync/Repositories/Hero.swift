import JSONText
public import StoryLibrary

/// A hero.
public struct Hero: LibraryRecord {
  /// Heroes.
  public static let kind = EntityKind.heroes
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Creates a hero from a stored record.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// Creates a new hero; `folder` is a folder below `heroes/`.
  public init(name: String, age: Int, traits: [String], folder: String = "") {
    let members: JSONObject = [
      "name": .string(name), "age": .number(JSONNumber(age)),
      "traits": .array(traits.map { .string($0) }),
    ]
    stored = StoredRecord(new: .heroes, members: members, folder: folder)
  }

  /// The hero's name.
  public var name: String {
    get { stored.text("name") }
    set { stored.set("name", newValue) }
  }

  /// The hero's age in years.
  public var age: Int {
    get { stored.members["age"]?.integer ?? 0 }
    set { stored.members["age"] = .number(JSONNumber(newValue)) }
  }

  /// The hero's traits.
  public var traits: [String] {
    get { stored.list("traits") }
    set { stored.set("traits", newValue) }
  }

  /// The hero's special ability, or `nil`.
  public var specialAbility: String? {
    get { stored.members["specialAbility"]?.string }
    set { stored.set("specialAbility", newValue) }
  }

  /// Whether the server has an avatar of the hero.
  public var hasAvatar: Bool { stored.server["avatarUrl"]?.string?.isEmpty == false }
}
