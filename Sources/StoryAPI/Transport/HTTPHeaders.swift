/// The header fields of a request or an answer.
///
/// Names are compared without case (RFC 9110, section 5.1); a name stands once.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral,
  CustomStringConvertible, CustomReflectable
{
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public let name: String
    /// The value.
    public let value: String
  }

  /// The fields in their order.
  public private(set) var fields: [Field]

  /// No field.
  public init() { fields = [] }

  /// Fields from a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field, whatever the case of its name; `nil` where there is none.
  ///
  /// Setting replaces the field where it stands, appends a new one, and removes it for `nil`.
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

  /// The fields on one line, those that carry secrets redacted.
  public var description: String {
    fields.map { "\($0.name): \(Redaction.header($0.name, $0.value))" }.joined(separator: ", ")
  }

  /// The fields as in ``description``, so that dumping them shows no secret.
  public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }

  private func index(of name: String) -> Int? {
    let lowered = name.lowercased()
    return fields.firstIndex { $0.name.lowercased() == lowered }
  }
}
