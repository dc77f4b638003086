public import StoryLibrary

/// Something that a page can link to.
public enum Place: Sendable, Hashable {
  /// The first page.
  case home
  /// A list of stories, or a part of one that is too long for one page, counted from 1.
  case list(StoryList, part: Int = 1)
  /// All stories on one page, for paper.
  case paper
  /// A hero and its stories.
  case hero(RecordRef)
  /// A story.
  case story(RecordRef)
  /// A picture or a narration.
  case asset(Asset)
  /// The style sheet.
  case styleSheet
  /// Search in the heroes and stories. From here on, only the links of a server lead anywhere.
  case search
  /// A part of what was found for a text, counted from 1.
  case found(String, Int)
  /// The changes since the last sync.
  case changes
  /// The conflicts.
  case conflicts
  /// The conflict of a record.
  case conflict(RecordRef)
  /// The progress of a sync.
  case sync
  /// The form that counts a reading of a story.
  case reading(RecordRef)
  /// The form that makes a story a favorite, or no longer one.
  case favorite(RecordRef)

  /// The page of a hero or a story.
  init(_ ref: RecordRef) { self = ref.kind == .heroes ? .hero(ref) : .story(ref) }
}

/// A list of stories with a page of its own.
public enum StoryList: String, Sendable, CaseIterable {
  /// All stories by title.
  case all = "stories"
  /// The favorites.
  case favorites
  /// All stories by language.
  case languages
  /// All stories by date.
  case dates
}

/// The addresses that pages use for what they link to.
///
/// Pages do not know whether they are files or answers of a server: whoever shows them hands in the
/// links.
public struct Links: Sendable {
  /// What the navigation has besides lists.
  public var navigation: [(place: Place, name: String)] = [(.paper, "Print")]
  /// The token that a server expects in forms, or `nil` if pages cannot change anything.
  public var formToken: String?
  private let address: @Sendable (Place) -> String

  /// Creates links from a function that returns the address of a place, escaped as in a URL.
  public init(_ address: @escaping @Sendable (Place) -> String) { self.address = address }

  /// Returns the address of a place.
  public func callAsFunction(_ place: Place) -> String { address(place) }

  /// The fragment of a story's address that leads to its buttons.
  public static let actions = "actions"

  /// The name of the field with ``formToken``.
  public static let formTokenField = "token"

  /// Returns a form that is sent to a place with `POST`, or nothing if pages cannot change anything.
  @MarkupBuilder
  func form(_ place: Place, @MarkupBuilder _ content: () -> Markup) -> Markup {
    if let formToken {
      tag("form", ["method": "post", "action": self(place)]) {
        tag("input", ["type": "hidden", "name": Self.formTokenField, "value": formToken])
        content()
      }
    }
  }
}
