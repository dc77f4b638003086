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
    case staged(StagedFile)
    case remove(String, ContentDigest?)

    var path: String {
      switch self {
      case .staged(let file): file.path
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
    var path: String
    var bytes: [UInt8]
    var expectation: AtomicFile.Expectation

    func stage() -> Swift.Result<StagedFile, FileError> {
      do throws(FileError) {
        return .success(try StagedFile(bytes, for: path, expecting: expectation))
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
  private var guardian: PathGuard
  private var pairs: [Pair] = []
  /// The pairs before this one have no content without a file.
  private var staged = 0
  private var records: [Content] = []
  private var sidecars: [Content] = []

  /// A batch for files below `root`.
  public init(root: String) {
    self.root = root
    guardian = PathGuard(root: root)
  }

  /// How many pairs have been added.
  public var count: Int { pairs.count }

  /// Adds a change of a record, of its sidecar, or of both; new content goes to disk under temporary
  /// names before long.
  ///
  /// - Returns: the pair's place in the result of ``commit()``. A failure to stage is its result.
  @discardableResult
  public mutating func add(
    record: (path: String, change: Change)?, sidecar: (path: String, change: Change)?
  ) -> Int {
    var pair = Pair()
    do throws(FileError) {
      let first = try record.map { place throws(FileError) in try prepare(place.path, place.change)
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
    if pairs.count - staged >= Self.gathered { stage() }
    return pairs.count - 1
  }

  /// Prepares a change; nothing where a file is to go whose folder is gone already.
  private mutating func prepare(
    _ path: String, _ change: Change
  ) throws(FileError) -> (step: Step?, content: Content?) {
    switch change {
    case .write(let bytes, let expectation):
      try guardian.makeFolders(above: path)
      let content = Content(
        pair: pairs.count, path: path, bytes: bytes, expectation: expectation)
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
    var (front, back):
      ([Swift.Result<StagedFile, FileError>], [Swift.Result<StagedFile, FileError>])
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
      case .success(let file):
        if place < records.count {
          pairs[content.pair].record = .staged(file)
        } else {
          pairs[content.pair].sidecar = .staged(file)
        }
      }
    }
    for index in staged..<pairs.count where pairs[index].result != .done {
      Self.discard(pairs[index].record)
      Self.discard(pairs[index].sidecar)
      (pairs[index].record, pairs[index].sidecar) = (nil, nil)
    }
    staged = pairs.count
    records.removeAll(keepingCapacity: true)
    sidecars.removeAll(keepingCapacity: true)
  }

  private mutating func hasFolder(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      try guardian.check(above: path)
      return true
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// Brings the changes to disk and tells how each pair ended, in the order in which they were added.
  public consuming func commit() -> [Result] {
    stage()
    do throws(FileError) {
      try flushStaged()
    } catch {
      for index in pairs.indices where pairs[index].result == .done {
        Self.discard(pairs[index].record)
        Self.discard(pairs[index].sidecar)
        pairs[index].result = .failed(error)
      }
      return pairs.map(\.result)
    }
    perform(\.record)
    perform(\.sidecar)
    return pairs.map(\.result)
  }

  /// Removes what was staged; nothing has changed then.
  public consuming func abandon() {
    for pair in pairs {
      Self.discard(pair.record)
      Self.discard(pair.sidecar)
    }
  }

  /// Carries out one side of every pair that is well so far, then flushes the folders.
  private mutating func perform(_ side: KeyPath<Pair, Step?>) {
    var folders: Set<String> = []
    for index in pairs.indices {
      guard let step = pairs[index][keyPath: side] else { continue }
      guard pairs[index].result == .done else {
        Self.discard(step)
        continue
      }
      do throws(FileError) {
        switch step {
        case .staged(let file):
          if try file.commit() == .changedMeanwhile { pairs[index].result = .changedMeanwhile }
        case .remove(let path, let digest?):
          if try AtomicFile.takeAway(path, expecting: digest) == .changedMeanwhile {
            pairs[index].result = .changedMeanwhile
          }
        case .remove(let path, nil):
          try FileSystem.remove(path)
        }
        folders.insert(Path.parent(step.path))
      } catch {
        pairs[index].result = .failed(error)
      }
    }
    do throws(FileError) {
      if folders.count > Self.singleFlushes, try FileSystem.flushFileSystem(of: root) { return }
      for folder in folders { try FileSystem.flushFolder(folder) }
    } catch {
      for index in pairs.indices where pairs[index].result == .done {
        pairs[index].result = .failed(error)
      }
    }
  }

  private func flushStaged() throws(FileError) {
    let staged = pairs.flatMap { [$0.record, $0.sidecar] }.compactMap { step -> String? in
      if case .staged(let file)? = step { file.temporaryPath } else { nil }
    }
    if staged.count > Self.singleFlushes, try FileSystem.flushFileSystem(of: root) { return }
    for path in staged { try FileSystem.flush(path) }
  }

  private static func discard(_ step: Step?) {
    if case .staged(let file)? = step { file.discard() }
  }
}
