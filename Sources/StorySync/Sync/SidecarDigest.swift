public import StoryLibrary

extension Scan {
  /// A digest of every sidecar's kind, id and version, whatever their order and names.
  ///
  /// Two scans have the same digest where their sidecars say the same of the server; after a
  /// checkout, a merge or a clone it differs.
  public var sidecarDigest: String {
    var lines: [String] = []
    for entry in entries {
      if let id = entry.id, let updatedAt = entry.updatedAt {
        lines.append("\(entry.ref.kind.rawValue)\u{0}\(id)\u{0}\(updatedAt)\n")
      }
    }
    lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return ContentDigest(lines.joined().utf8).description
  }
}
