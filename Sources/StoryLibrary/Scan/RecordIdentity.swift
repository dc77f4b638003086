/// Who a record is on the server and which version of it a sidecar knows: its id and `updatedAt`, each
/// verbatim as the server wrote it, each of which may be missing.
///
/// A library may have very many, so where both are written as servers mostly write them they take no
/// memory of their own, see ``PackedIdentity``; any other two are one string.
package struct RecordIdentity: Sendable, Hashable {
  private enum Form: Hashable {
    case packed(PackedIdentity)
    /// The id and the version behind it; the lengths of both in bytes, ``none`` for one that is
    /// missing. What can be packed is never kept in this form.
    case text(String, id: UInt32, version: UInt32)
  }

  private var form: Form

  private static let none = UInt32.max

  package init() { form = .text("", id: Self.none, version: Self.none) }

  package init(id: String?, version: String?) {
    guard let id, let version else {
      form = .text(
        id ?? version ?? "", id: id.map { UInt32(clamping: $0.utf8.count) } ?? Self.none,
        version: version.map { UInt32(clamping: $0.utf8.count) } ?? Self.none)
      return
    }
    let (idLength, length) = (id.utf8.count, id.utf8.count + version.utf8.count)
    self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
      _ = text[..<idLength].initialize(fromContentsOf: id.utf8)
      _ = text[idLength...].initialize(fromContentsOf: version.utf8)
      return RecordIdentity(UnsafeBufferPointer(text), idLength: idLength)
    }
  }

  /// An identity from the text of an id and that of a version behind it, both in UTF-8.
  init(_ text: UnsafeBufferPointer<UInt8>, idLength: Int) {
    if let packed = PackedIdentity(text, idLength: idLength) {
      form = .packed(packed)
    } else {
      form = .text(
        String(decoding: text, as: UTF8.self), id: UInt32(clamping: idLength),
        version: UInt32(clamping: text.count - idLength))
    }
  }

  /// The server's id; `nil` where there is none.
  package var id: String? {
    get { hasID ? text { appendID(to: &$0) } : nil }
    set { self = RecordIdentity(id: newValue, version: version) }
  }

  /// The version; `nil` where there is none.
  package var version: String? {
    get { hasVersion ? text { appendVersion(to: &$0) } : nil }
    set { self = RecordIdentity(id: id, version: newValue) }
  }

  /// Whether there is an id.
  var hasID: Bool {
    switch form {
    case .packed: true
    case .text(_, let length, _): length != Self.none
    }
  }

  /// Whether there is a version.
  var hasVersion: Bool {
    switch form {
    case .packed: true
    case .text(_, _, let length): length != Self.none
    }
  }

  private func text(_ append: (inout [UInt8]) -> Void) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(40)
    append(&text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the id in UTF-8; nothing where there is none.
  func appendID(to text: inout [UInt8]) {
    switch form {
    case .packed(let packed): packed.appendID(to: &text)
    case .text(let own, let length, _):
      if length != Self.none { text += own.utf8.prefix(Int(length)) }
    }
  }

  /// Appends the version in UTF-8; nothing where there is none.
  func appendVersion(to text: inout [UInt8]) {
    switch form {
    case .packed(let packed): packed.appendVersion(to: &text)
    case .text(let own, _, let length):
      if length != Self.none { text += own.utf8.suffix(Int(length)) }
    }
  }

  /// Appends bytes that stand for id and version, the same for the same two only; appends nothing and is
  /// `false` where one of the two is missing.
  ///
  /// They are part of digests that `.stories/` keeps: another form makes the next pull a full one.
  package func append(to bytes: inout [UInt8]) -> Bool {
    switch form {
    case .packed(let packed):
      bytes.append(1)
      packed.append(to: &bytes)
    case .text(let own, let idLength, let versionLength):
      guard idLength != Self.none, versionLength != Self.none else { return false }
      bytes.append(0)
      bytes += own.utf8.prefix(Int(idLength))
      bytes.append(0)
      bytes += own.utf8.suffix(Int(versionLength))
    }
    return true
  }

  /// Whether both have one id, or none.
  func hasSameID(as other: RecordIdentity) -> Bool {
    if case (.packed(let own), .packed(let others)) = (form, other.form) {
      return own.idKey == others.idKey
    }
    return id == other.id
  }

  // MARK: Tables

  /// A sum of the id for a ``PlaceTable``; `nil` where there is none.
  var idSum: UInt64? {
    guard hasID else { return nil }
    if case .packed(let packed) = form { return Self.sum(packed.idKey) }
    return id.map { Self.sum(ofID: $0) }
  }

  /// The sum that an identity with an id has.
  static func sum(ofID id: String) -> UInt64 {
    var id = id
    return id.withUTF8 { id in
      // Without a version an id is not packed, but has the same sum.
      PackedIdentity.idKey(of: id).map(sum) ?? PlaceTable.sum(UnsafeRawBufferPointer(id))
    }
  }

  private static func sum(_ key: PackedIdentity.IDKey) -> UInt64 {
    withUnsafeBytes(of: key) { PlaceTable.sum($0) }
  }
}
