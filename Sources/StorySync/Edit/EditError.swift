public import StoryLibrary

/// Why a change of a library's records was not made; nothing was written then.
public enum EditError: Error, Sendable, Hashable {
  /// There is no such record; `nearest` is the most similar name that is there.
  case noSuchRecord(RecordRef, nearest: RecordRef?)
  /// The name is taken.
  case exists(RecordRef)
  /// A record cannot become one of another kind.
  case otherKind(RecordRef, EntityKind)
  /// Only the server makes and changes such records: pictures.
  case readOnly(RecordRef)
  /// Records here still name it.
  case stillNamed(RecordRef, by: [RecordRef])
  /// The record is not in conflict.
  case noConflict(RecordRef)
  /// The record as a whole is in conflict, which only `--local` or `--server` can settle.
  case cannotMerge(RecordRef)
  /// Git left two versions of the record's sidecar with two ids, and only `--local` or `--server` can
  /// say which of the server's records it is.
  case twoIDs(RecordRef)
  /// Somebody saved the file at the same moment.
  case changedMeanwhile(RecordRef)
  /// There is no run of that name.
  case noSuchRun(String)
  /// No earlier version of the record was kept.
  case noVersion(RecordRef)

  /// What happened, in one sentence.
  public var message: String {
    switch self {
    case .noSuchRecord(let ref, _): "there is no \(ref)"
    case .exists(let ref): "\(ref) is there already"
    case .otherKind(let ref, let kind): "\(ref) cannot become one of the \(kind.rawValue)"
    case .readOnly(let ref):
      "\(ref) is the server's: \(ref.kind.rawValue) cannot be edited, renamed, removed or restored here"
    case .stillNamed(let ref, let namers):
      "\(ref) is still named by \(namers.prefix(3).map(\.description).joined(separator: ", "))"
        + (namers.count > 3 ? " and \(namers.count - 3) more" : "")
    case .noConflict(let ref): "\(ref) is not in conflict"
    case .cannotMerge(let ref): "\(ref) was deleted on one side, so there is nothing to merge"
    case .twoIDs(let ref): "git left two sidecars of \(ref), which speak of two records"
    case .changedMeanwhile(let ref): "\(ref.path) was saved at the same moment"
    case .noSuchRun(let name): name.isEmpty ? "there is no run yet" : "there is no run \(name)"
    case .noVersion(let ref): "no earlier version of \(ref) was kept"
    }
  }

  /// What to do next; `nil` where the message says it.
  public var hint: String? {
    switch self {
    case .noSuchRecord(_, let nearest): nearest.map { "did you mean \($0)?" }
    case .exists: "choose another name"
    case .readOnly: "a pull brings those that the server still has: stories sync pull"
    case .stillNamed: "let them name another record first, or remove them too"
    case .noConflict: "`stories conflicts` lists what is"
    case .cannotMerge: "choose --local or --server"
    case .twoIDs: "choose --local (your branch's) or --server (the other branch's)"
    case .changedMeanwhile: "run the command again"
    case .noSuchRun: "`stories log` lists the runs"
    case .otherKind, .noVersion: nil
    }
  }
}
