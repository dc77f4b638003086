public import JSONText
import StoryLibrary
import StoryMerge

extension ConflictResolver.Field {
  /// Both versions in one value, in wire form: what the field's merge rule makes of them, and of a
  /// long text both sides' lines where they clash, the local ones first. `nil` where a value can only
  /// be the one or the other.
  public var both: JSONValue? {
    if let merged = Merge.settled(field, base: base, local: local, remote: server) { return merged }
    guard field.merge == .lines, let local = local.string, let server = server.string else {
      return nil
    }
    let lines = LineMerge.union(
      base: base.string.map { RecordFile.lines(of: $0) } ?? [], local: RecordFile.lines(of: local),
      remote: RecordFile.lines(of: server))
    return .string(lines.joined(separator: "\n"))
  }
}
