#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// New content under a temporary name beside the file that it will replace.
struct StagedFile: Sendable {
  let path: String
  let temporaryPath: String
  let expectation: AtomicFile.Expectation

  /// Writes the content without flushing it.
  ///
  /// - Throws: `FileError`: ELOOP where a symbolic link has the final name, ENAMETOOLONG where there
  ///   is no room for a temporary one, and what the system says of a write.
  init(
    _ bytes: [UInt8], for path: String, expecting expectation: AtomicFile.Expectation,
    mode: UInt32? = nil
  ) throws(FileError) {
    let old: ContentDigest? = if case .content(let digest) = expectation { digest } else { nil }
    let name = try TemporaryName(new: ContentDigest(bytes), old: old, for: path)
    self.path = path
    self.expectation = expectation
    temporaryPath = Path.join(Path.parent(path), name.text)
    let present = try FileSystem.status(path)
    guard present?.type != .link else { throw FileError(.write, path: path, code: ELOOP) }
    let kept = present?.type == .regular ? present?.mode : nil
    try Self.fill(temporaryPath, with: bytes, mode: mode ?? kept)
  }

  private static func fill(
    _ path: String, with bytes: [UInt8], mode: UInt32?
  ) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, mode_t(mode ?? 0o666))
    if descriptor < 0, errno == EEXIST {
      // Left behind by a run that died; the lock says that nobody is using it.
      try Leftovers.settle(path)
      descriptor = open(path, flags, mode_t(mode ?? 0o666))
    }
    guard descriptor >= 0 else { throw .last(.write, path) }
    defer { close(descriptor) }
    var failure: FileError?
    if let mode, fchmod(descriptor, mode_t(mode)) != 0 { failure = .last(.write, path) }
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while failure == nil, written < buffer.count {
        let count = FileSystem.retried {
          Int(systemWrite(descriptor, buffer.baseAddress! + written, buffer.count - written))
        }
        if count < 0 { failure = .last(.write, path) } else { written += count }
      }
    }
    if let failure {
      unlink(path)
      throw failure
    }
  }

  /// Gives the content its final name if the path still holds what is expected.
  ///
  /// Whatever comes of it, nothing stays under the temporary name that somebody else wrote: what came
  /// out of an exchange and is not what was expected goes back.
  /// - Parameter pause: called between the exchange and the look at what came out.
  func commit(pause: () -> Void = {}) throws(FileError) -> AtomicFile.Outcome {
    do throws(FileError) {
      return try place(pause)
    } catch {
      // What lies there may be what the exchange brought out.
      _ = try? Leftovers.settle(temporaryPath)
      throw error
    }
  }

  private func place(_ pause: () -> Void) throws(FileError) -> AtomicFile.Outcome {
    switch expectation {
    case .anything:
      try FileSystem.rename(temporaryPath, to: path)
      return .done
    case .absent:
      do throws(FileError) {
        try FileSystem.renameIfAbsent(temporaryPath, to: path)
        return .done
      } catch {
        guard error.isPresent else { throw error }
        discard()
        return .changedMeanwhile
      }
    case .content(let digest):
      return try replace(expecting: digest, pause)
    }
  }

  private func replace(
    expecting digest: ContentDigest, _ pause: () -> Void
  ) throws(FileError) -> AtomicFile.Outcome {
    do throws(FileError) {
      guard try FileSystem.exchange(temporaryPath, path) else {
        return try replaceWithoutExchange(expecting: digest)
      }
    } catch {
      guard error.isMissing else { throw error }
      discard()
      return .changedMeanwhile
    }
    pause()
    // What came out is looked at, not what was there a moment ago.
    if let old = try? FileSystem.read(temporaryPath), ContentDigest(old) == digest {
      discard()
      return .done
    }
    try Leftovers.settle(temporaryPath)
    return .changedMeanwhile
  }

  private func replaceWithoutExchange(
    expecting digest: ContentDigest
  ) throws(FileError) -> AtomicFile.Outcome {
    guard let old = try? FileSystem.read(path), ContentDigest(old) == digest else {
      discard()
      return .changedMeanwhile
    }
    try FileSystem.rename(temporaryPath, to: path)
    return .done
  }

  /// Removes the temporary file of content that was never given its name.
  func discard() { unlink(temporaryPath) }
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, buffer, count)
}
