import JSONText
import StoryLibrary
import StorySync

extension LibraryEditor {
  /// Adds one to the number of readings in a story's file.
  ///
  /// - Parameter known: the number if the file has none, which is the one that the server has.
  /// - Returns: the new number.
  func countReading(of ref: RecordRef, known: Int) throws -> Int {
    var times = known
    try update(ref) { members in
      times = min((members["playCount"]?.integer ?? known) + 1, Int(Int32.max))
      members["playCount"] = .number(JSONNumber(times))
    }
    return times
  }

  /// Makes a story a favorite in its file, or no longer one.
  func setFavorite(_ ref: RecordRef, to isFavorite: Bool) throws {
    try update(ref) { members in
      // Without the member, the server's value counts.
      members["isFavorite"] = .bool(isFavorite)
    }
  }
}
