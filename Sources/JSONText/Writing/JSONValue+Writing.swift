extension JSONValue {
  /// The value on one line without spaces, as sent over the wire.
  public var compactBytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self, inline: .compact)
    return writer.bytes
  }

  /// ``compactBytes`` as a string.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// Returns the value as a complete file, with one final line end.
  ///
  /// Objects have a line for each member. An array of scalars is on one line if that is short
  /// enough (see ``JSONLayout``); other arrays have a line for each element. Strings have only the
  /// escapes that RFC 8259, section 7, requires, and number literals are kept.
  public func fileBytes(layout: JSONLayout = JSONLayout()) -> [UInt8] {
    var writer = JSONWriter()
    let style = BlockStyle(layout)
    writer.write(self, inline: style.inline, block: style)
    writer.append(style.lineEnd)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// The same as ``compactText``.
  public var description: String { compactText }
}
