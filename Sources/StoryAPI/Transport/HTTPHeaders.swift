/// The header fields of a request or a response.
///
/// Names are case-insensitive (RFC 9110, section 5.1) and unique.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral,
  CustomStringConvertible, CustomReflectable
{
  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public let name: String
    /// The value.
    public let value: String
  }

  /// The fields in order.
  public private(set) var fields: [Field]

  /// Creates empty headers.
  public init() { fields = [] }

  /// Creates headers from a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field by its case-insensitive name, or `nil`.
  ///
  /// Setting it replaces an existing field, appends a new one, or removes the field for `nil`.
  public subscript(name: String) -> String? {
    get { index(of: name).map { fields[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): fields[index] = Field(name: name, value: value)
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append(Field(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The fields on one line, with secrets redacted.
  public var description: String {
    fields.map { "\($0.name): \(Redaction.header($0.name, $0.value))" }.joined(separator: ", ")
  }

  /// The fields as in ``description``, so that dumping them reveals no secrets.
  public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }

  private func index(of name: String) -> Int? {
    let lowered = name.lowercased()
    return fields.firstIndex { $0.name.lowercased() == lowered }
  }
}
