/// A group of changes to pairs of a record and its sidecar that reaches the disk together.
///
/// Everything new is first written under temporary names and flushed once. Then the records get
/// their names, their folders are flushed, and only then the sidecars follow: a crash in between
/// leaves a record without its news in the sidecar, never a sidecar that speaks of a record which is
/// not there. Content is held in memory for few pairs only, until it is written on two threads.
public struct WriteBatch: ~Copyable {
  /// What becomes of one file.
  public enum Change: Sendable {
    /// It gets this content, if the expectation holds.
    case write([UInt8], AtomicFile.Expectation)
    /// It goes, if it still has this content.
    case remove(ContentDigest)
    /// It goes, whatever it holds.
    case removeAnything
  }

  /// How a pair ended.
  public enum Result: Sendable, Equatable {
    /// Both files are as wanted.
    case done
    /// The record had changed, and both are as they were; or the sidecar had, and the record alone is
    /// as wanted.
    case changedMeanwhile
    /// The system refused; the record is as it was, or as wanted with its old sidecar.
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

  /// Content that has no file yet.
  private struct Content {
    /// The place of the pair that it belongs to.
    var pair: Int
    var path: ConfinedPath
    var file: LocatedFile
    var bytes: [UInt8]
    var expectation: AtomicFile.Expectation
    var mode: UInt32?

    func stage() -> Swift.Result<Step, FileError> {
      do throws(FileError) {
        let staged = try StagedFile(bytes, for: file, expecting: expectation, mode: mode)
        return .success(.staged(path, temporaryName: staged.temporary.name, expectation))
      } catch {
        return .failure(error)
      }
    }
  }

  /// From how many files on one flush of the whole file system is cheaper than one a file.
  private static let singleFlushes = 8
  /// For how many pairs content is gathered before it is written.
  private static let gathered = 64
  /// From how many files on two threads write them.
  private static let fewFiles = 16
  private let root: String
  private let folders = OpenFolders()
  private var pairs: [Pair] = []
  /// The pairs before this one have no content without a file.
  private var staged = 0
  /// Whether all that was added lies flushed under temporary names.
  private var isFlushed = false
  private var records: [Content] = []
  private var sidecars: [Content] = []

  /// A batch for files below `root`.
  public init(root: String) { self.root = root }

  /// How many pairs have been added.
  public var count: Int { pairs.count }

  /// Adds a change of a record, of its sidecar, or of both; new content goes to disk under temporary
  /// names before long.
  ///
  /// - Parameters:
  ///   - record: the record's path, and what becomes of it.
  ///   - sidecar: the same of its sidecar.
  ///   - mode: the mode of a record that is written; `nil` keeps the one of the file that is there.
  /// - Returns: the pair's place in the result of ``commit()``. A failure to stage is its result.
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

  /// Prepares a change; nothing where a file is to go whose folder is gone already.
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

  /// Writes what has been gathered under temporary names; ``commit()`` does so too.
  public mutating func stage() {
    // Records and sidecars lie in different folders, and in one folder the system makes one file after
    // the other: each half has its own thread.
    let all = records + sidecars
    let half = all.count < Self.fewFiles ? all.count : all.count / 2
    var (front, back): ([Swift.Result<Step, FileError>], [Swift.Result<Step, FileError>])
    (front, back) = ([], [])
    if half == all.count {
      front = all.map { $0.stage() }
    } else {
      Parallel.both {
        front = all[..<half].map { $0.stage() }
      } and: {
        back = all[half...].map { $0.stage() }
      }
    }
    for (place, (content, result)) in zip(all, front + back).enumerated() {
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
      discard(pairs[index].record)
      discard(pairs[index].sidecar)
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

  /// Writes everything under its temporary name and flushes that, so that ``commit()`` has only names to
  /// give. A failure is the result of all pairs.
  public mutating func flush() {
    stage()
    guard !isFlushed else { return }
    isFlushed = true
    do throws(FileError) {
      try flushStaged()
    } catch {
      for index in pairs.indices where pairs[index].result == .done {
        discard(pairs[index].record)
        discard(pairs[index].sidecar)
        pairs[index].result = .failed(error)
      }
    }
  }

  /// Brings the changes to disk and tells how each pair ended, in the order in which they were added.
  public consuming func commit() -> [Result] {
    flush()
    perform(\.record)
    perform(\.sidecar)
    return pairs.map(\.result)
  }

  /// Removes what was staged; nothing has changed then.
  public consuming func abandon() {
    for pair in pairs {
      discard(pair.record)
      discard(pair.sidecar)
    }
  }

  /// Carries out one side of every pair that is well so far, then flushes the folders.
  private mutating func perform(_ side: KeyPath<Pair, Step?>) {
    var changed: Set<ConfinedPath> = []
    for index in pairs.indices {
      guard let step = pairs[index][keyPath: side] else { continue }
      guard pairs[index].result == .done else {
        discard(step)
        continue
      }
      do throws(FileError) {
        let file = try folders.file(step.path)
        switch step {
        case .staged(_, let name, let expectation):
          let staged = StagedFile(file, temporaryName: name, expecting: expectation)
          // A sidecar on its way without its record says that the record is in place.
          let sidecar = pairs[index].sidecar
          let isRecord = side == \Pair.record
          let outcome = try staged.commit(givingUp: { if isRecord { discard(sidecar) } })
          if outcome == .changedMeanwhile { pairs[index].result = .changedMeanwhile }
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

  private mutating func discard(_ step: Step?) {
    guard case .staged(let path, let name, _)? = step, let file = try? folders.file(path) else {
      return
    }
    try? FileSystem.remove(file.sibling(name))
  }
}
