extension JSONValue {
  /// The value on one line without spaces, as sent over the wire.
  public var compactBytes: [UInt8] {
    JSONWriter.compact(self)
  }

  /// ``compactBytes`` as a string.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// Returns the value as a complete file, with one final line end.
  ///
  /// Objects have a line for each member. An array of scalars is on one line if that is short
  /// enough (see ``JSONLayout``); other arrays have a line for each element. Strings have only the
  /// escapes that RFC 8259, section 7, requires, and number literals are kept.
  public func fileBytes(layout: JSONLayout = JSONLayout()) -> [UInt8] {
    JSONWriter.file(self, layout: layout)
  }
}

extension JSONNode {
  /// The value on one line without spaces: ``JSONValue/compactBytes`` without creating a value.
  public var compactBytes: [UInt8] {
    withView { JSONWriter.compact($0, sizeHint: $0.bytes.count) }
  }
}

extension JSONWriter {
  /// Returns a value on one line without spaces.
  ///
  /// - Parameter sizeHint: The likely maximum size in bytes.
  fileprivate static func compact(_ value: some WritableValue, sizeHint: Int = 0) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserve(sizeHint)
    writer.write(value, inline: .compact)
    return writer.bytes
  }

  /// Returns a value as a complete file; see ``JSONValue/fileBytes(layout:)``.
  static func file(
    _ value: some WritableValue, layout: JSONLayout, sizeHint: Int = 0
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserve(sizeHint)
    let style = BlockStyle(layout)
    writer.write(value, block: style)
    writer.append(style.lineEnd)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// The same as ``compactText``.
  public var description: String { compactText }
}
