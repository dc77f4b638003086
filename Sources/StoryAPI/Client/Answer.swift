import JSONText
import StoryLibrary

/// An answer with success as its status, parsed.
struct Answer: Sendable {
  /// Method and path of the request, for messages.
  let request: String
  /// The status code.
  let status: Int
  /// The header fields.
  let headers: HTTPHeaders
  /// The body; `nil` where there is none.
  let value: JSONValue?

  /// The most values and names in a body; a page of 100 records has some 5,000.
  static let maximumValues = 500_000

  /// What the request carried that no error may show.
  private let secrets: [String]

  /// The body as a place that errors can name.
  var place: AnswerPlace { AnswerPlace(request: request, value: value, secrets: secrets) }

  /// The server's clock when it answered.
  var date: ServerDate? { headers["Date"].flatMap { ServerDate(http: $0) } }

  /// What stands for the answer to a request that was done before.
  init(doneBefore request: String) {
    self.request = request
    status = 204
    headers = HTTPHeaders()
    value = nil
    secrets = []
  }

  /// What stands for the answer to a change that was done before: the record as it is now.
  init(doneBefore request: String, record: RemoteRecord) {
    self.request = request
    status = 200
    headers = HTTPHeaders()
    value = ["data": .object(record.wire)]
    secrets = []
  }

  /// Parses a success.
  ///
  /// - Throws: `APIError.decoding` for a body that is no JSON, for none where the status promises
  ///   one (all but 204), and for one that holds an error in spite of its status.
  init(
    _ response: HTTPResponse, request: String, secrets: [String] = []
  ) throws(APIError) {
    self.request = request
    self.secrets = secrets
    status = response.status
    headers = response.headers
    if response.body.isEmpty {
      guard response.status == 204 || response.status == 304 else {
        throw .decoding(what: "an empty body", where: request)
      }
      value = nil
      return
    }
    do throws(JSONSyntaxError) {
      let value = try JSONValue(parsing: response.body, maximumValues: Self.maximumValues)
      self.value = value
    } catch {
      throw .decoding(what: Self.whatIsNoJSON(response, error), where: request)
    }
    if let object = value?.object, let error = object["error"], !error.isNull, error != false,
      object["data"]?.isNull ?? true
    {
      let text = error.string ?? error["message"]?.string ?? object["message"]?.string ?? ""
      throw .decoding(
        what: "status \(status) with an error in it: \(ServerText.shown(text))",
        where: "\(request), error")
    }
  }

  private static func whatIsNoJSON(_ response: HTTPResponse, _ error: JSONSyntaxError) -> String {
    let start = response.body.prefix(200).drop {
      $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09
    }
    if start.first == UInt8(ascii: "<") { return "a web page instead of JSON" }
    return "no JSON: \(error.description)"
  }
}
