public import JSONText
import StoryLibrary
import StoryMerge

extension ConflictResolver.Field {
  /// Both versions in one value, in wire form: the result of the field's merge rule, and for
  /// conflicting lines of long text both sides, local ones first. `nil` if that is impossible.
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
