#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

import Synchronization

/// Writes a library's index anew.
///
/// The file is made under another name, whose first time stamp is the moment from which on changes
/// are too new to be noted, by the clock of the very file system that stamps the records. It gets its
/// name by a rename; it is not flushed, for a damaged one is found by its sum.
final class ScanIndexWriter: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var stamp: FileKey?
    var wasTried = false
  }

  private let library: Library
  private let path: String
  private let state = Mutex(State())

  init(_ library: Library) {
    self.library = library
    path = library.statePath("index.new")
  }

  deinit {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      unlink(path)
      close(state.descriptor)
    }
  }

  /// Makes sure that there is a stamp; to be called before anything is read.
  ///
  /// Where nothing can be written there is none, and no index.
  func begin() {
    state.withLock { state in
      guard !state.wasTried else { return }
      state.wasTried = true
      // A library that a newer program wrote to is left as it is.
      guard (try? library.checkWritable()) != nil, (try? library.prepareStateFolder()) != nil
      else { return }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      // Another process may be writing one: then that is the index.
      var (byte, own, named) = (UInt8(0), stat(), stat())
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0,
        pwrite(descriptor, &byte, 1, 0) == 1, fstat(descriptor, &own) == 0,
        lstat(path, &named) == 0, FileKey(named).inode == FileKey(own).inode
      else {
        close(descriptor)
        return
      }
      state.descriptor = descriptor
      state.stamp = FileKey(own)
    }
  }

  /// Whether a file that was read after ``begin()`` can be told from what it may become.
  func isSettled(_ key: FileKey) -> Bool {
    guard let stamp = state.withLock({ $0.stamp }) else { return false }
    return key == .absent
      || key.device == stamp.device && key.changed < stamp.modified && key.modified < stamp.modified
  }

  /// Writes the sections of all kinds and puts the file in its place. Nothing happens where the
  /// system does not allow it.
  func finish(_ sections: [Section]) {
    guard sections.count == 3 else { return }
    let header = ScanIndex.Header(
      magic: ScanIndex.magic, version: ScanIndex.version,
      pairSize: UInt32(MemoryLayout<ScanIndex.Pair>.stride), schemas: ScanIndex.schemas, sum: 0,
      sections: (
        UInt64(sections[0].byteCount), UInt64(sections[1].byteCount), UInt64(sections[2].byteCount)
      ))
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      var output = ScanIndexOutput(state.descriptor)
      for section in sections { section.write(to: &output) }
      guard output.finish(header) else { return }
      guard rename(path, library.statePath(ScanIndex.fileName)) == 0 else { return }
      close(state.descriptor)
      state.descriptor = -1
    }
  }

  /// What is written of one kind.
  enum Section {
    /// What the index has of it already.
    case known(ScanIndexSection)
    /// What this scan found.
    case found(ScanIndexSectionBuilder)

    fileprivate var byteCount: Int {
      switch self {
      case .known(let section): section.range.count
      case .found(let builder): builder.byteCount
      }
    }

    fileprivate func write(to output: inout ScanIndexOutput) {
      switch self {
      case .known(let section): if let bytes = section.raw { output.add(bytes) }
      case .found(let builder): builder.write(to: &output)
      }
    }
  }
}
