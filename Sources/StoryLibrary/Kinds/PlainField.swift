/// A field as ``PlainComparison`` looks for it: without references, for it is asked for with every
/// member of every record.
struct PlainField: Sendable {
  /// What the value looks like; see ``Field/Shape``.
  enum Shape: Sendable {
    case string
    case lines
    case phrases
    case integer
    case number
    case boolean
    case list
    case reference(EntityKind)
  }

  let key: PackedName
  let wireKey: PackedName
  let shape: Shape
  let hasDefault: Bool

  /// - Returns: `nil` where a name is too long to be packed.
  init?(_ field: Field) {
    guard let key = PackedName(field.key), let wireKey = PackedName(field.wireKey) else {
      return nil
    }
    self.key = key
    self.wireKey = wireKey
    hasDefault = field.defaultValue != nil
    shape =
      switch field.shape {
      case .text, .choice: .string
      case .lines: .lines
      case .phrases: .phrases
      case .integer: .integer
      case .number: .number
      case .boolean: .boolean
      case .list: .list
      case .reference(let kind): .reference(kind)
      }
  }
}

/// A name of at most 16 bytes as two numbers, so that comparing it takes no loop.
struct PackedName: Sendable, BitwiseCopyable, Equatable {
  private var words: SIMD2<UInt64> = [0, 0]
  private var count = 0

  /// - Returns: `nil` where the name is longer.
  init?(_ name: String) {
    var name = name
    guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
    self = packed
  }

  /// - Returns: `nil` where the name is longer.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard name.count <= 16 else { return nil }
    count = name.count
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: name) }
  }
}
