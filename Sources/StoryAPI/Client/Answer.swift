import JSONText
import StoryLibrary

struct Answer: Sendable {
  let request: String
  let status: Int
  let headers: HTTPHeaders
  let value: JSONValue?

  /// The maximum number of values and names in a body; a page of 100 records has about 5,000.
  static let maximumValues = 500_000

  /// The secrets of the request, which no error may show.
  private let secrets: [String]

  /// The body as a place that errors can name.
  var place: AnswerPlace { AnswerPlace(request: request, value: value, secrets: secrets) }

  var date: ServerDate? { headers["Date"].flatMap { ServerDate(http: $0) } }

  /// Creates a replacement for the response to a request that was carried out before, with the
  /// current record after a change.
  init(doneBefore request: String, record: RemoteRecord? = nil) {
    self.request = request
    status = record == nil ? 204 : 200
    headers = HTTPHeaders()
    value = record.map { ["data": .object($0.wire)] }
    secrets = []
  }

  /// Parses a successful response.
  ///
  /// - Throws: `APIError.decoding` if the body is not JSON, is missing although the status requires
  ///   one (all but 204), or contains an error despite the status.
  init(
    _ response: HTTPResponse, request: String, secrets: [String] = [], hasBody: Bool = true
  ) throws(APIError) {
    self.request = request
    self.secrets = secrets
    status = response.status
    headers = response.headers
    if response.body.isEmpty {
      guard !hasBody || response.status == 204 || response.status == 304 else {
        throw .decoding(.emptyBody, where: request)
      }
      value = nil
      return
    }
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: response.body, maximumValues: Self.maximumValues)
    } catch {
      let start = response.body.prefix(200).first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
      let isPage = start == UInt8(ascii: "<")
      throw .decoding(isPage ? .webPage : .notJSON(diagnosis: error.description), where: request)
    }
    if let object = value?.object, let error = object["error"], !error.isNull, error != false,
      object["data"]?.isNull ?? true
    {
      let text = error.string ?? error["message"]?.string ?? object["message"]?.string ?? ""
      throw .decoding(
        .errorInSuccess(status: status, message: ServerText.shown(text)),
        where: "\(request), error")
    }
  }
}
