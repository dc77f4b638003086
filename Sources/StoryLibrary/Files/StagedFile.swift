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
  init(
    _ bytes: [UInt8], for path: String, expecting expectation: AtomicFile.Expectation,
    mode: UInt32? = nil
  ) throws(FileError) {
    let old: ContentDigest? = if case .content(let digest) = expectation { digest } else { nil }
    let name = TemporaryName(
      new: ContentDigest(bytes), old: old, finalName: Path.name(path))
    guard name.finalName.utf8.count <= TemporaryName.longestFinalName else {
      throw FileError(.write, path: path, code: ENAMETOOLONG)
    }
    self.path = path
    self.expectation = expectation
    temporaryPath = Path.join(Path.parent(path), name.text)
    var kept = mode
    if kept == nil { kept = try FileSystem.status(path)?.mode }
    try Self.fill(temporaryPath, with: bytes, mode: kept)
  }

  private static func fill(
    _ path: String, with bytes: [UInt8], mode: UInt32?
  ) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, mode_t(mode ?? 0o666))
    if descriptor < 0, errno == EEXIST {
      // Left behind by a run that died; the lock says that nobody is using it.
      try FileSystem.remove(path)
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
  func commit() throws(FileError) -> AtomicFile.Outcome {
    switch expectation {
    case .anything:
      try FileSystem.rename(temporaryPath, to: path)
      return .done
    case .absent:
      do throws(FileError) {
        try AtomicFile.renameIfAbsent(temporaryPath, to: path)
        return .done
      } catch {
        guard error.isPresent else { throw error }
        discard()
        return .changedMeanwhile
      }
    case .content(let digest):
      return try replace(expecting: digest)
    }
  }

  private func replace(expecting digest: ContentDigest) throws(FileError) -> AtomicFile.Outcome {
    do throws(FileError) {
      guard try AtomicFile.exchange(temporaryPath, path) else {
        return try replaceWithoutExchange(expecting: digest)
      }
    } catch {
      guard error.isMissing else { throw error }
      discard()
      return .changedMeanwhile
    }
    // What came out is looked at, not what was there a moment ago.
    if let old = try? FileSystem.read(temporaryPath), ContentDigest(old) == digest {
      discard()
      return .done
    }
    let ours = try? FileSystem.read(path)
    _ = try AtomicFile.exchange(temporaryPath, path)
    // If an editor saved between the two exchanges, its text came out now and must go back.
    if let out = try? FileSystem.read(temporaryPath), let ours, out != ours {
      _ = try AtomicFile.exchange(temporaryPath, path)
      try AtomicFile.putBack(temporaryPath, to: path)
      return .changedMeanwhile
    }
    discard()
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

  /// Removes the temporary file.
  func discard() { unlink(temporaryPath) }
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, buffer, count)
}
