import JSONText
import StoryLibrary

/// A value within an answer, with its path, so that errors can name it.
///
/// Its functions, and those of ``Dialect`` that decode a place, throw `APIError.decoding` with the path
/// of the first value that is missing or of the wrong type.
struct AnswerPlace {
  let request: String
  /// The path to the value in the body, such as `data[3].age`. Empty for the whole body.
  var path = ""
  let value: JSONValue?

  /// Secrets of the request that errors must not show.
  var secrets: [String] = []

  /// A member of an object. Its value is `nil` if this is not an object.
  subscript(key: String) -> AnswerPlace {
    AnswerPlace(
      request: request, path: path.isEmpty ? key : "\(path).\(key)", value: value?[key],
      secrets: secrets)
  }

  var isAbsent: Bool { value?.isNull ?? true }

  func failure(
    expected: WireMismatch.Expected, found: WireMismatch.Found? = nil
  ) -> APIError {
    failure(.mismatch(WireMismatch(expected, found: found ?? .value(value))))
  }

  func failure(_ problem: AnswerProblem) -> APIError {
    let place = path.isEmpty ? request : "\(request), \(ServerText.shown(path, limit: 80))"
    return APIError.decoding(problem, where: place).masking(secrets)
  }

  func object() throws(APIError) -> JSONObject {
    guard let object = value?.object else { throw failure(expected: .object) }
    return object
  }

  func elements() throws(APIError) -> [AnswerPlace] {
    guard let elements = value?.array else { throw failure(expected: .array) }
    return elements.enumerated().map { place, element in
      AnswerPlace(
        request: request, path: "\(path)[\(place)]", value: element, secrets: secrets)
    }
  }

  func confirm(id: String) throws(APIError) {
    let found = try self["id"].string()
    guard found == id else {
      throw self["id"].failure(.otherRecord(id: ServerText.shown(found, limit: 80)))
    }
  }

  func string() throws(APIError) -> String {
    guard let string = value?.string else { throw failure(expected: .string) }
    return string
  }

  func nonEmptyString() throws(APIError) -> String {
    let string = try string()
    guard !string.isEmpty else { throw failure(expected: .string, found: .emptyString) }
    return string
  }

  func optionalString() throws(APIError) -> String? { isAbsent ? nil : try string() }

  func count() throws(APIError) -> Int {
    guard let integer = value?.integer else { throw failure(expected: .wholeNumber) }
    guard integer >= 0 else { throw failure(expected: .count, found: .integer(integer)) }
    return integer
  }

  func optionalCount() throws(APIError) -> Int? { isAbsent ? nil : try count() }

  func bool() throws(APIError) -> Bool {
    guard let bool = value?.bool else { throw failure(expected: .boolean) }
    return bool
  }

  func optionalNumber() throws(APIError) -> Double? {
    guard !isAbsent else { return nil }
    guard case .number(let number)? = value else { throw failure(expected: .number) }
    return number.double
  }

  func date() throws(APIError) -> ServerDate {
    let text = try string()
    guard let date = ServerDate(text) else {
      throw failure(expected: .date, found: .text(ServerText.shown(text, limit: 40)))
    }
    return date
  }

  func optionalDate() throws(APIError) -> ServerDate? { isAbsent ? nil : try date() }

  func mediaState() throws(APIError) -> MediaState {
    let text = try string()
    guard let state = MediaState(rawValue: text) else {
      throw failure(.unknownStatus(ServerText.shown(text, limit: 40)))
    }
    return state
  }
}
