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

  /// Whether there is something to write to.
  var isOpen: Bool { state.withLock { $0.descriptor >= 0 } }

  /// Writes the sections of all kinds and puts the file in its place. Nothing happens where the
  /// system does not allow it.
  func finish(_ sections: [[UInt8]]) {
    guard sections.count == 3 else { return }
    var header = ScanIndex.Header(
      magic: ScanIndex.magic, version: ScanIndex.version,
      pairSize: UInt32(MemoryLayout<ScanIndex.Pair>.stride), schemas: ScanIndex.schemas, sum: 0,
      sections: (
        UInt64(sections[0].count), UInt64(sections[1].count), UInt64(sections[2].count)
      ))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      MemoryLayout<ScanIndex.Header>.size + sections.reduce(0) { $0 + $1.count })
    withUnsafeBytes(of: &header) { bytes += $0 }
    for section in sections { bytes += section }
    header.sum = bytes.withUnsafeBytes {
      xxHash64(
        UnsafeRawBufferPointer(rebasing: $0[MemoryLayout<ScanIndex.Header>.size...]), seed: 0)
    }
    withUnsafeBytes(of: &header) { bytes.replaceSubrange(0..<$0.count, with: $0) }
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
          FileSystem.retried {
            pwrite(
              state.descriptor, buffer.baseAddress! + written, buffer.count - written,
              off_t(written))
          }
        }
        guard count > 0 else { return }
        written += count
      }
      guard rename(path, library.statePath(ScanIndex.fileName)) == 0 else { return }
      close(state.descriptor)
      state.descriptor = -1
    }
  }
}
