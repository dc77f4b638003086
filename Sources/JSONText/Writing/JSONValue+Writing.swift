extension JSONValue {
  /// The value on one line without any space, as it goes over the wire.
  public var compactBytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self, inline: .compact)
    return writer.bytes
  }

  /// ``compactBytes`` as a string.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The value as a whole file: laid out over lines, with one line end after it.
  ///
  /// Objects take a line for each member; arrays of scalars stay on one line if it is short enough
  /// (see ``JSONLayout``), other arrays take a line for each element. Strings are escaped only where
  /// RFC 8259 section 7 asks for it; number literals are kept.
  public func fileBytes(layout: JSONLayout = JSONLayout()) -> [UInt8] {
    var writer = JSONWriter()
    let style = BlockStyle(layout)
    writer.write(self, block: style)
    writer.append(style.lineEnd)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// ``compactText``.
  public var description: String { compactText }
}
