import StoryLibrary

extension Place {
  /// The path of the file in an exported site.
  var path: String {
    switch self {
    case .home: "index.html"
    case .list(let list, _): "\(list.rawValue).html"
    case .paper: "paper.html"
    case .hero(let ref): "heroes/\(SafeName.of(ref)).html"
    case .story(let ref): "stories/\(SafeName.of(ref)).html"
    case .asset(let asset): asset.path
    case .styleSheet: "style.css"
    // Of a server, never of a site.
    case .search, .found, .changes, .conflicts, .conflict, .sync, .reading, .favorite: ""
    }
  }

  /// Returns whether a site can have a file with this path.
  static func isPath(_ path: String) -> Bool {
    let fixed: [Place] = [.home, .paper, .styleSheet] + StoryList.allCases.map { .list($0) }
    if fixed.contains(where: { $0.path == path }) { return true }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: ".") }) else { return false }
    let extensions: [String]
    if path.hasPrefix("heroes/") || path.hasPrefix("stories/") {
      extensions = ["html"]
    } else if path.hasPrefix("pictures/heroes/") || path.hasPrefix("pictures/stories/")
      || path.hasPrefix("narrations/")
    {
      extensions = MediaFormat.allCases.map(\.fileExtension)
    } else {
      return false
    }
    return extensions.contains { path.hasSuffix("." + $0) }
  }
}

extension Links {
  /// Returns the links of a file: relative paths, which work wherever the site is put.
  static func relative(to file: String, _ path: @escaping @Sendable (Place) -> String) -> Links {
    let folders = file.split(separator: "/").dropLast()
    return Links { place in
      var parts = path(place).split(separator: "/")[...]
      var above = folders[...]
      while let first = above.first, parts.count > 1, parts.first == first {
        above.removeFirst()
        parts.removeFirst()
      }
      let steps = above.map { _ in "../" }.joined()
      return steps + parts.joined(separator: "/")
    }
  }

  static func site(_ page: Place) -> Links { relative(to: page.path) { $0.path } }
}
