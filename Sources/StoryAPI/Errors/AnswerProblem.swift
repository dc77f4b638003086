public import StoryLibrary

/// The way in which a response does not match the contract.
public enum AnswerProblem: Sendable, Hashable {
  /// There is no body.
  case emptyBody
  /// The body is a web page.
  case webPage
  /// The body is not JSON; `diagnosis` is the parser's description, with the position.
  case notJSON(diagnosis: String)
  /// The body reports an error, with the server's message, although the status is a success.
  case errorInSuccess(status: Int, message: String)
  /// A value is missing or of the wrong type.
  case mismatch(WireMismatch)
  /// The record has this id, which is not the requested one.
  case otherRecord(id: String)
  /// The picture is of another hero.
  case otherHero
  /// The word is not a status of a media file.
  case unknownStatus(String)
  /// There should be more records, but there is no link to the next page.
  case noNextPage
  /// The header `Total-Objects` has no number.
  case noTotal
  /// Two records have the same id.
  case repeatedID
  /// One of the writes has no result.
  case missingResult
  /// A batch of `writes` writes has another number of results.
  case resultCount(Int, writes: Int)
}

/// The reason that a list cannot be trusted.
public enum ListProblem: Sendable, Hashable {
  /// The server did not return its total.
  case noTotal
  /// The pages did not add up to the server's total, three times in a row.
  case incomplete
  /// Full pages brought nothing new: the list would never end.
  case endless
  /// The list has more records than the server's total, or than a list may have.
  case overfull
  /// The records take more disk space than a listing may use. `isShareOfDisk` is whether the limit
  /// is a quarter of the free disk space.
  case tooLarge(limit: UInt64, isShareOfDisk: Bool)
}
