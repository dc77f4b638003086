import JSONText
package import StoryLibrary

/// The commits that git merges, and the sidecars that they have of the merged record.
///
/// The sidecars tell whether both texts are of one record, and what each side has from the server.
package struct MergedCommits {
  /// The record of one side.
  package enum Side: Equatable {
    /// Synced, with this sidecar.
    case synced(Sidecar)
    /// Not synced, or not committed with its sidecar.
    case unsynced
    /// Another record than the other side's.
    case another

    /// The server's id, or `nil` if the record has none under this name.
    package var id: String? { if case .synced(let sidecar) = self { sidecar.id } else { nil } }
  }

  /// The newest stash. Git does not tell drivers that it applies one, so only a stash that has their
  /// text is taken for what is merged.
  package static let stash = "refs/stash"

  /// The record of our side.
  package let ours: Side
  /// The record of their side.
  package let theirs: Side
  /// The texts of both sides.
  package let texts: (ours: [UInt8], theirs: [UInt8])
  private let record: Lookup
  private let their: String
  private let isPick: Bool

  /// Looks the record up in the merged commits.
  ///
  /// Fails if there is no such commit, or if the texts of the commits are not those that git passed: a
  /// stash that `git merge --autostash` applies is merged under the name of the commit that
  /// was merged before, and common ancestors are merged under the name of the commits.
  ///
  /// - Parameters:
  ///   - their: The commit that is merged into `HEAD`.
  ///   - isPick: Whether it is merged from its own parent.
  ///   - record: Where the record is looked up.
  ///   - texts: The record's text on our and on their side.
  package init?(
    _ their: String, isPick: Bool, _ record: Lookup, _ texts: (ours: [UInt8], theirs: [UInt8])
  ) {
    let (ours, theirs) = texts
    guard let left = record.version(in: "HEAD"), let right = record.version(in: their),
      left.text == nil || left.text == ours,
      right.text == theirs || right.text == nil && their != Self.stash
    else { return nil }
    (self.record, self.their, self.isPick, self.texts) = (record, their, isPick, texts)
    switch (left.sidecar, right.sidecar) {
    case (let left?, let right?): (self.ours, self.theirs) = (.synced(left), .synced(right))
    case (let sidecar?, nil):
      self.ours = .synced(sidecar)
      self.theirs = record.side(of: sidecar.id, in: their, theirs, isHere: right.text != nil)
    case (nil, let sidecar?):
      self.ours = record.side(of: sidecar.id, in: "HEAD", ours, isHere: left.text != nil)
      self.theirs = .synced(sidecar)
    case (nil, nil): (self.ours, self.theirs) = (.unsynced, .unsynced)
    }
  }

  /// Whether the sides are different records.
  package var areTwoRecords: Bool {
    switch (ours, theirs) {
    case (.synced(let ours), .synced(let theirs)): ours.id != theirs.id
    case (.another, _), (_, .another): true
    case (.unsynced, _), (_, .unsynced): false
    }
  }

  /// The sidecar of the common ancestor, or `nil` if it has none. Of several ancestors it is the newest.
  func ancestor(id: String) -> Sidecar? {
    let commits = isPick ? ["\(their)^"] : record.commonAncestors(with: their)
    return commits.compactMap { commit in
      record.version(in: commit)?.sidecar.flatMap { $0.id == id ? $0 : nil }
        ?? record.found(id, in: commit)?.sidecar
    }.max { Sidecar.isVersion($0.updatedAt, before: $1.updatedAt) }
  }

  /// A record, to be looked up in commits.
  package struct Lookup {
    /// The record, by the name that git gives it in the merge.
    let ref: RecordRef
    /// The library's folder, from the top of the working tree.
    let folder: String
    /// Calls git in the top of the working tree.
    let git: (GitProcess.Query, [String], _ input: [UInt8]) throws -> ChildProcess.Result

    /// Creates a lookup.
    package init(
      _ ref: RecordRef, in folder: String,
      _ git: @escaping (GitProcess.Query, [String], _ input: [UInt8]) throws -> ChildProcess.Result
    ) {
      (self.ref, self.folder, self.git) = (ref, folder, git)
    }

    /// A record's text in a commit, and its sidecar; both `nil` if it has none of the name.
    typealias Version = (text: [UInt8]?, sidecar: Sidecar?)

    /// Returns what a commit has under the record's name, or `nil` if there is no such commit.
    func version(in commit: String) -> Version? { version(of: ref, in: commit) }

    private func version(of ref: RecordRef, in commit: String) -> Version? {
      let files = [ref.path, ref.sidecarPath].map { "\(commit):\(Path.join(folder, $0))\n" }
      let input = Array("\(commit)^{commit}\n\(files.joined())".utf8)
      guard let result = try? git(.catFile, ["--batch"], input), result.status == 0 else {
        return nil
      }
      let objects = GitProcess.objects(inBatch: result.output)
      guard objects.count == 3, objects[0]?.type == "commit" else { return nil }
      guard let text = objects[1], text.type == "blob" else { return (nil, nil) }
      return (text.content, objects[2].flatMap { try? Sidecar(bytes: $0.content, ref: ref) })
    }

    /// Returns the record with an id, whatever its name is in a commit.
    func found(_ id: String, in commit: String) -> Version? {
      let kind = Path.join(folder, ref.kind.folder)
      let quoted = JSONValue.string(id).compactText
      let words = ["-l", "-z", "-F", "-e", quoted, commit, "--", ":(literal)" + kind]
      guard let result = try? git(.grep, words, []), result.status == 0 else { return nil }
      let start = commit.utf8.count + 1 + (folder.isEmpty ? 0 : folder.utf8.count + 1)
      for name in result.output.split(separator: 0) {
        let path = String(decoding: name.dropFirst(start), as: UTF8.self)
        guard case .sidecar(let ref)? = TrackedPath(path),
          let version = version(of: ref, in: commit), version.sidecar?.id == id
        else { continue }
        return version
      }
      return nil
    }

    /// Returns a side that has no sidecar under the record's name, of which the other has one.
    ///
    /// - Parameters:
    ///   - text: The side's text.
    ///   - isHere: Whether the side has a record of this name. Otherwise git took its record, under
    ///     another name, for the same.
    func side(of id: String, in commit: String, _ text: [UInt8], isHere: Bool) -> Side {
      guard let found = found(id, in: commit) else { return isHere ? .unsynced : .another }
      guard found.text == text, let sidecar = found.sidecar else { return .another }
      return .synced(sidecar)
    }

    /// The commit that a rebase is applying, by its list of what is done; git before 2.44 does not
    /// tell in another way.
    var rebasedCommit: String? {
      guard let path = try? git(.parseRevision, ["--git-path", "rebase-merge/done"], []),
        path.status == 0,
        let list = try? FileSystem.read(
          String(decoding: path.output.prefix { $0 != 0x0A }, as: UTF8.self), limit: 1 << 24)
      else { return nil }
      // `pick 0123… Subject`
      let words = list.split(separator: 0x0A).last?.split(separator: 0x20)
      guard let words, words.count > 1, words[1].first != UInt8(ascii: "-") else { return nil }
      return String(decoding: words[1], as: UTF8.self)
    }

    func commonAncestors(with commit: String) -> [String] {
      guard let result = try? git(.parseRevision, ["HEAD...\(commit)"], []), result.status == 0
      else { return [] }
      // Both commits, and the common ancestors as `^0123…`.
      return result.output.split(separator: 0x0A).filter { $0.first == UInt8(ascii: "^") }
        .map { String(decoding: $0.dropFirst(), as: UTF8.self) }
    }
  }
}
