import StoryLibrary

extension Bookshelf {
  /// A hero or a story with what was found in it.
  struct Hit: Sendable {
    let ref: RecordRef
    let title: Excerpt
    /// The language of the title and the lines.
    var language: String?
    var hero: String?
    /// The first lines in which something was found, besides the title.
    let lines: [Excerpt]

    /// The maximum number of lines.
    private static let most = 3

    /// Searches in a record's title and lines; `nil` if they do not have all that is sought.
    fileprivate init?(
      _ ref: RecordRef, title: String, lines: some Sequence<String>, _ search: TextSearch
    ) {
      let found = search.lines(in: [title] + lines)
      guard !found.isEmpty else { return nil }
      self.ref = ref
      self.title = found.first { $0.index == 0 }.map(Excerpt.init) ?? Excerpt(title)
      self.lines = found.filter { $0.index > 0 }.prefix(Self.most).map(Excerpt.init)
    }
  }

  /// Returns the heroes and then the stories, by title, that have all that is sought.
  ///
  /// The texts of all stories are read.
  func hits(_ search: TextSearch) -> [Hit] {
    guard !search.isEmpty else { return [] }
    let heroes = heroes.compactMap {
      Hit($0.ref, title: $0.name, lines: $0.traits + $0.abilities, search)
    }
    return heroes
      + Parallel.map(stories(in: .all), threads: 4) { story -> Hit? in
        guard let content = try? content(of: story) else { return nil }
        var hit = Hit(
          story.ref, title: story.title, lines: content.prose.paragraphs.joined(), search)
        hit?.language = story.language
        hit?.hero = hero(of: story)?.name
        return hit
      }.compactMap { $0 }
  }
}

/// The part of a line around the first match, with marks.
struct Excerpt: Sendable {
  private(set) var parts: [(text: String, isMatch: Bool)] = []

  /// The number of characters before the first match, and in all after it.
  private static let (before, after) = (60, 200)

  init(_ title: String) { parts = [(StoryRows.clipped(title), false)] }

  init(_ line: TextSearch.Line) {
    var left = Self.after
    for (place, part) in line.parts.enumerated() {
      let scalars = part.text.unicodeScalars
      if place == 0, !part.isMatch {
        let end = scalars.suffix(Self.before)
        let isWhole = end.startIndex == scalars.startIndex
        parts.append(((isWhole ? "" : "…") + String(end), false))
        continue
      }
      let start = scalars.prefix(left)
      let isWhole = start.endIndex == scalars.endIndex
      parts.append((String(start) + (isWhole ? "" : "…"), part.isMatch))
      left -= start.count
      if left == 0 { break }
    }
  }

  var markup: Markup {
    .group(
      parts.map { part in part.isMatch ? tag("mark") { part.text } : .text(part.text) })
  }
}
