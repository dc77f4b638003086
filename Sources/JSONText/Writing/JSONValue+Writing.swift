extension JSONValue {
  /// The value on one line without any space, as it goes over the wire.
  public var compactBytes: [UInt8] {
    JSONWriter.compact(self)
  }

  /// ``compactBytes`` as a string.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The value as a whole file: laid out over lines, with one line end after it.
  ///
  /// Objects take a line for each member; arrays of scalars stay on one line if it is short enough
  /// (see ``JSONLayout``), other arrays take a line for each element. Strings are escaped only where
  /// RFC 8259 section 7 asks for it; number literals are kept.
  public func fileBytes(layout: JSONLayout = JSONLayout()) -> [UInt8] {
    JSONWriter.file(self, layout: layout)
  }
}

extension JSONNode {
  /// The value on one line without any space: the bytes of ``JSONValue/compactBytes``, without the
  /// values being made on the way.
  public var compactBytes: [UInt8] {
    withView { JSONWriter.compact($0, sizeHint: $0.bytes.count) }
  }
}

extension JSONWriter {
  /// A value on one line without any space.
  ///
  /// - Parameter sizeHint: how many bytes it is likely to take at most.
  fileprivate static func compact(_ value: some WritableValue, sizeHint: Int = 0) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserve(sizeHint)
    writer.write(value, inline: .compact)
    return writer.bytes
  }

  /// A value as a whole file; see ``JSONValue/fileBytes(layout:)``.
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
  /// ``compactText``.
  public var description: String { compactText }
}
