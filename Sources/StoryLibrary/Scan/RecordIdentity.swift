/// Who a record is on the server and which version of it a sidecar knows: its id and `updatedAt`, each
/// verbatim as the server wrote it, each of which may be missing.
///
/// The two are one string, which takes less memory than two: a library may have very many.
package struct RecordIdentity: Sendable, Hashable {
  private var text = ""
  /// The bytes of the id; ``none`` where there is none.
  private var idLength = Self.none
  /// The bytes of the version, behind the id; ``none`` where there is none.
  private var versionLength = Self.none

  private static let none = UInt32.max

  package init() {}

  package init(id: String?, version: String?) {
    // In one go, as a string that grows takes room for more.
    let length = (id?.utf8.count ?? 0) + (version?.utf8.count ?? 0)
    text = String(unsafeUninitializedCapacity: length) { buffer in
      var end = 0
      for part in [id, version] {
        for byte in (part ?? "").utf8 {
          buffer[end] = byte
          end += 1
        }
      }
      return end
    }
    idLength = id.map { UInt32(clamping: $0.utf8.count) } ?? Self.none
    versionLength = version.map { UInt32(clamping: $0.utf8.count) } ?? Self.none
  }

  /// An identity from one text that holds the id and then the version.
  init(_ text: String, idLength: Int) {
    self.text = text
    self.idLength = UInt32(clamping: idLength)
    versionLength = UInt32(clamping: text.utf8.count - idLength)
  }

  /// The server's id; `nil` where there is none.
  package var id: String? {
    get { idBytes.map { String(Substring($0)) } }
    set { self = RecordIdentity(id: newValue, version: version) }
  }

  /// The version; `nil` where there is none.
  package var version: String? {
    get {
      guard versionLength != Self.none else { return nil }
      return String(Substring(text.utf8.suffix(Int(versionLength))))
    }
    set { self = RecordIdentity(id: id, version: newValue) }
  }

  /// The bytes of ``id``.
  var idBytes: Substring.UTF8View? {
    idLength == Self.none ? nil : text.utf8.prefix(Int(idLength))
  }

  /// Appends the id, a zero byte and the version; appends nothing and is `false` where one of the two
  /// is missing.
  package func append(to bytes: inout [UInt8]) -> Bool {
    guard idLength != Self.none, versionLength != Self.none else { return false }
    var text = text
    text.withUTF8 { text in
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text.prefix(Int(idLength))))
      bytes.append(0)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text.suffix(Int(versionLength))))
    }
    return true
  }
}
