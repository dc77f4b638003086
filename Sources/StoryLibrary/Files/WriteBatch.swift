/// A group of changes to records and their sidecars that is written together.
///
/// All new content is first written under temporary names and flushed once. Then the records are
/// renamed and their folders flushed, and only then the sidecars. A crash in between can leave a
/// record whose sidecar is out of date, but never a sidecar that describes a record version that
/// does not exist. Only a few pairs' content is kept in memory, until it is written on two threads.
public struct WriteBatch: ~Copyable {
  /// A change of one file.
  public enum Change: Sendable {
    /// Writes this content if the expectation holds.
    case write([UInt8], AtomicFile.Expectation)
    /// Removes the file if it still has this content.
    case remove(ContentDigest)
    /// Removes the file unconditionally.
    case removeAnything
  }

  /// The outcome for a pair.
  public enum Result: Sendable, Equatable {
    /// Both files were changed.
    case done
    /// The record had changed and was kept, or the sidecar had and only the record was written.
    case changedMeanwhile
    /// The system refused. The record is unchanged, or it is written and the sidecar is unchanged.
    case failed(FileError)
  }

  private enum Step {
    case staged(ConfinedPath, temporaryName: String, AtomicFile.Expectation)
    case remove(ConfinedPath, ContentDigest?)

    var path: ConfinedPath {
      switch self {
      case .staged(let path, _, _): path
      case .remove(let path, _): path
      }
    }
  }

  private struct Pair {
    var record: Step?
    var sidecar: Step?
    var result = Result.done
  }

  /// Content that is not written yet.
  private struct Content {
    var pair: Int
    var path: ConfinedPath
    var file: LocatedFile
    var bytes: [UInt8]
    var expectation: AtomicFile.Expectation
    var mode: UInt32?

    func stage() -> Swift.Result<Step, FileError> {
      Swift.Result { () throws(FileError) in
        let staged = try StagedFile(bytes, for: file, expecting: expectation, mode: mode)
        return .staged(path, temporaryName: staged.temporary.name, expectation)
      }
    }
  }

  /// The number of files above which one flush of the file system is cheaper than one per file.
  private static let singleFlushes = 8
  /// The number of pairs whose content is collected before it is written.
  private static let gathered = 64
  /// The minimum number of files for writing on two threads.
  private static let fewFiles = 16
  private let root: String
  private let folders = OpenFolders()
  private var pairs: [Pair] = []
  /// The number of pairs, from the start, whose content is staged.
  private var staged = 0
  /// Whether everything added so far is flushed under temporary names.
  private var isFlushed = false
  private var records: [Content] = []
  private var sidecars: [Content] = []

  /// Creates a batch for files below `root`.
  public init(root: String) { self.root = root }

  /// The number of pairs added so far.
  public var count: Int { pairs.count }

  /// Adds a change of a record, its sidecar, or both. New content is soon staged.
  ///
  /// - Parameters:
  ///   - record: The record's path and change.
  ///   - sidecar: The sidecar's path and change.
  ///   - mode: The mode of a written record; `nil` keeps that of the existing file.
  /// - Returns: The pair's index in the result of ``commit()``. An error is its result.
  @discardableResult
  public mutating func add(
    record: (path: ConfinedPath, change: Change)?,
    sidecar: (path: ConfinedPath, change: Change)?, mode: UInt32? = nil
  ) -> Int {
    var pair = Pair()
    do throws(FileError) {
      let first = try record.map { place throws(FileError) in
        try prepare(place.path, place.change, mode)
      }
      let second = try sidecar.map { place throws(FileError) in
        try prepare(place.path, place.change)
      }
      pair.record = first?.step
      pair.sidecar = second?.step
      if let content = first?.content { records.append(content) }
      if let content = second?.content { sidecars.append(content) }
    } catch {
      pair = Pair(result: .failed(error))
    }
    pairs.append(pair)
    isFlushed = false
    if pairs.count - staged >= Self.gathered { stage() }
    return pairs.count - 1
  }

  /// Prepares a change. Returns nothing if a file is to be removed whose folder is already missing.
  private mutating func prepare(
    _ path: ConfinedPath, _ change: Change, _ mode: UInt32? = nil
  ) throws(FileError) -> (step: Step?, content: Content?) {
    switch change {
    case .write(let bytes, let expectation):
      let content = Content(
        pair: pairs.count, path: path, file: try folders.file(path, making: 0o777), bytes: bytes,
        expectation: expectation, mode: mode)
      return (nil, content)
    case .remove(let digest):
      return (try hasFolder(path) ? .remove(path, digest) : nil, nil)
    case .removeAnything:
      return (try hasFolder(path) ? .remove(path, nil) : nil, nil)
    }
  }

  /// Writes the collected content under temporary names. ``commit()`` calls this too.
  mutating func stage() {
    // Records and sidecars are in different folders, and the system creates the files of one folder
    // one at a time, so each half has its own thread.
    let all = records + sidecars
    let half = all.count / 2
    let results = Parallel.map(
      [all[..<half], all[half...]], threads: all.count < Self.fewFiles ? 1 : 2
    ) { $0.map { $0.stage() } }
    for (place, (content, result)) in zip(all, results.joined()).enumerated() {
      switch result {
      case .failure(let error):
        if pairs[content.pair].result == .done { pairs[content.pair].result = .failed(error) }
      case .success(let step):
        if place < records.count {
          pairs[content.pair].record = step
        } else {
          pairs[content.pair].sidecar = step
        }
      }
    }
    for index in staged..<pairs.count where pairs[index].result != .done {
      discard(pairs[index])
      (pairs[index].record, pairs[index].sidecar) = (nil, nil)
    }
    staged = pairs.count
    records.removeAll(keepingCapacity: true)
    sidecars.removeAll(keepingCapacity: true)
  }

  private mutating func hasFolder(_ path: ConfinedPath) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try folders.file(path)
      return true
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// Writes and flushes everything under temporary names, so that ``commit()`` only has to rename.
  /// A failure becomes the result of all pairs.
  public mutating func flush() {
    stage()
    guard !isFlushed else { return }
    isFlushed = true
    do throws(FileError) {
      try flushStaged()
    } catch {
      for index in pairs.indices where pairs[index].result == .done {
        discard(pairs[index])
        pairs[index].result = .failed(error)
      }
    }
  }

  /// Carries out the changes and returns the result of each pair, in the order of addition.
  public consuming func commit() -> [Result] {
    flush()
    perform(\.record)
    perform(\.sidecar)
    return pairs.map(\.result)
  }

  /// Removes the temporary files without changing anything.
  public consuming func abandon() {
    for pair in pairs { discard(pair) }
  }

  /// Carries out one side of every pair that has not failed, then flushes the folders.
  private mutating func perform(_ side: KeyPath<Pair, Step?>) {
    var changed: Set<ConfinedPath> = []
    for index in pairs.indices {
      guard let step = pairs[index][keyPath: side] else { continue }
      guard pairs[index].result == .done else {
        if let file = temporaryFile(of: step) { try? FileSystem.remove(file) }
        continue
      }
      do throws(FileError) {
        let file = try folders.file(step.path)
        switch step {
        case .staged(_, let name, let expectation):
          var staged = StagedFile(file, temporaryName: name, expecting: expectation)
          if side == \Pair.record { staged.follower = temporaryFile(of: pairs[index].sidecar) }
          if try staged.commit() == .changedMeanwhile { pairs[index].result = .changedMeanwhile }
        case .remove(_, let digest?):
          if try AtomicFile.takeAway(file, expecting: digest) == .changedMeanwhile {
            pairs[index].result = .changedMeanwhile
          }
        case .remove(_, nil):
          try FileSystem.remove(file)
        }
        changed.insert(Path.parent(step.path))
      } catch {
        pairs[index].result = .failed(error)
      }
    }
    do throws(FileError) {
      if changed.count > Self.singleFlushes, try FileSystem.flushFileSystem(of: root) { return }
      for folder in changed { try FileSystem.flushFolder(folder) }
    } catch {
      for index in pairs.indices where pairs[index].result == .done {
        pairs[index].result = .failed(error)
      }
    }
  }

  private mutating func flushStaged() throws(FileError) {
    let staged = pairs.flatMap { [$0.record, $0.sidecar] }.compactMap { step in
      if case .staged(let path, let name, _)? = step { (path, name) } else { nil }
    }
    if staged.count > Self.singleFlushes, try FileSystem.flushFileSystem(of: root) { return }
    for (path, name) in staged { try FileSystem.flush(try folders.file(path).sibling(name)) }
  }

  private func discard(_ pair: Pair) {
    for step in [pair.record, pair.sidecar] {
      if let file = temporaryFile(of: step) { try? FileSystem.remove(file) }
    }
  }

  private func temporaryFile(of step: Step?) -> LocatedFile? {
    guard case .staged(let path, let name, _)? = step else { return nil }
    return try? folders.file(path).sibling(name)
  }
}

extension WriteBatch {
  /// The state in which an interrupted commit left a pair.
  package enum Progress: Sendable {
    /// The record got its new content.
    case replaced
    /// The record never got its new content.
    case untouched
    /// Unknown, because the temporary files are missing.
    case unknown
  }

  /// Returns the name of the temporary file in which new content waits, and after an exchange the old.
  ///
  /// - Parameters:
  ///   - new: The digest of the new content.
  ///   - old: The digest of the content that it replaces; `nil` for none and for a sidecar.
  ///   - path: The file's path.
  /// - Throws: `FileError`: ENAMETOOLONG if the name is too long.
  package static func temporaryName(
    new: ContentDigest, old: ContentDigest?, for path: String
  ) throws(FileError) -> String {
    try TemporaryName(new: new, old: old, for: path).text
  }

  /// Returns whether an interrupted commit gave a record its new content, and finishes a rename that
  /// was cut in two.
  ///
  /// This depends only on the temporary files, not on the record's current content: once
  /// ``flush()`` is done both exist, and the record's is the first to disappear or to receive the
  /// replaced content. Must be called before stale temporary files are settled.
  /// - Parameters:
  ///   - record: The record's temporary file; `nil` without one.
  ///   - isElsewhere: Whether the record exists: if its name is free, it was moved, and no rename was cut.
  ///   - before: The digest of the content that the record replaced, or `nil` if there was none.
  ///   - after: The digest of the record's new content.
  ///   - sidecar: The sidecar's temporary file and its digest; `nil` without one.
  package static func progress(
    record: ConfinedPath?, isElsewhere: Bool, from before: ContentDigest?, to after: ContentDigest,
    sidecar: (path: ConfinedPath, digest: ContentDigest)?
  ) throws(FileError) -> Progress {
    if let temporary = try record?.located(), let name = TemporaryName(temporary.name),
      FileSystem.exists(temporary)
    {
      if before == nil { return .untouched }
      let content = FileSystem.digest(temporary)
      let file = temporary.sibling(name.finalName)
      if content == after {
        if !isElsewhere, temporary.isOfCutRename(to: file) {
          try FileSystem.renameIfAbsent(temporary, to: file)
          try FileSystem.flushFolder(above: file)
          return .replaced
        }
        // Left there, it would be taken for a cut rename.
        if isElsewhere, !FileSystem.exists(file) { try FileSystem.remove(temporary) }
        return .untouched
      }
      // An edit that was, or is about to be, saved at that moment is restored if the new content is still
      // there, which undoes it.
      return content == before && !FileSystem.isBeingWritten(temporary)
        || !FileSystem.exists(file) ? .replaced : .untouched
    }
    guard let sidecar, FileSystem.digest(sidecar.path) == sidecar.digest else { return .unknown }
    return .replaced
  }
}
