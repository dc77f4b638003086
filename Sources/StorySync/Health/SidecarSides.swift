import JSONText
import StoryAPI
import StoryLibrary

/// The two versions of a sidecar in which git left conflict markers.
struct SidecarSides {
  /// The version of the branch that was checked out.
  let ours: Sidecar
  /// The version that was merged in.
  let theirs: Sidecar

  /// Takes the text apart; `nil` where it has no markers or a side is no sidecar.
  ///
  /// The section that git adds for the common ancestor (`|||||||`) belongs to neither side.
  init?(_ bytes: [UInt8], ref: RecordRef) {
    var (ours, theirs): ([UInt8], [UInt8]) = ([], [])
    enum Part { case both, ours, base, theirs }
    var part = Part.both
    var markers = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<<".utf8) {
        part = .ours
        markers += 1
      } else if part != .both, line.starts(with: "|||||||".utf8) {
        part = .base
      } else if part != .both, line.starts(with: "=======".utf8) {
        part = .theirs
      } else if part == .theirs, line.starts(with: ">>>>>>>".utf8) {
        part = .both
      } else {
        if part == .both || part == .ours { ours += line + [0x0A] }
        if part == .both || part == .theirs { theirs += line + [0x0A] }
      }
    }
    guard markers > 0, part == .both, let left = try? Sidecar(bytes: ours, ref: ref),
      let right = try? Sidecar(bytes: theirs, ref: ref)
    else { return nil }
    self.ours = left
    self.theirs = right
  }

  /// What both say of one server's record: the newer version with its base; `nil` where they speak
  /// of two records.
  var merged: Sidecar? { Self.merge(ours, theirs) }

  /// Two truths about one server: the newer one; `nil` where the ids differ.
  ///
  /// A delete that somebody stated stays stated, for as long as the record is gone; of one version with
  /// and without a conflict the conflict stays.
  static func merge(_ left: Sidecar, _ right: Sidecar) -> Sidecar? {
    guard left.id == right.id else { return nil }
    let isRightNewer: Bool
    if let leftDate = ServerDate(left.updatedAt), let rightDate = ServerDate(right.updatedAt) {
      isRightNewer = leftDate < rightDate
    } else {
      isRightNewer = left.updatedAt < right.updatedAt
    }
    var newer = isRightNewer ? right : left
    let older = isRightNewer ? left : right
    if newer.updatedAt == older.updatedAt, newer.conflict == nil { newer.conflict = older.conflict }
    newer.isDeleteStated = left.isDeleteStated || right.isDeleteStated
    return newer
  }
}
