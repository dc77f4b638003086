extension JSONDocument {
  /// Returns the text in canonical form: the same value with two spaces of indentation, LF and one
  /// final newline, no byte order mark, and only the escapes that RFC 8259, section 7, requires.
  ///
  /// Number literals and the order of nested members are kept. Formatting twice changes nothing.
  ///
  /// - Parameters:
  ///   - order: The names of the root's members to write first, in this order.
  ///   - brokenArrays: The names of members whose arrays always have a line for each element.
  public func formatted(order: [String] = [], brokenArrays: Set<String> = []) -> [UInt8] {
    var value = root.value
    if case .object(let object) = value { value = .object(object.ordered(by: order)) }
    return value.fileBytes(layout: JSONLayout(brokenArrays: brokenArrays))
  }
}
