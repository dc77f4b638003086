#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// New content under a temporary name next to the file that it replaces.
struct StagedFile: Sendable {
  private let file: LocatedFile
  let temporary: LocatedFile
  private let expectation: AtomicFile.Expectation
  /// Another staged file, of a sidecar, which is removed before this one if that is not renamed. On its
  /// own, it would mean that this file is in place.
  var follower: LocatedFile?

  /// Writes the content without flushing it.
  ///
  /// - Throws: `FileError`: ELOOP if the final name is a symbolic link, ENAMETOOLONG if the
  ///   temporary name would be too long, and errors of writing.
  init(
    _ bytes: [UInt8], for location: some FileLocation,
    expecting expectation: AtomicFile.Expectation, mode: UInt32? = nil
  ) throws(FileError) {
    let file = try location.located()
    let old: ContentDigest? = if case .content(let digest) = expectation { digest } else { nil }
    let name = try TemporaryName(new: ContentDigest(bytes), old: old, for: file.path)
    self.init(file, temporaryName: name.text, expecting: expectation)
    let present = try FileSystem.status(file)
    guard present?.type != .link else { throw FileError(.write, path: file.path, code: ELOOP) }
    let kept = present?.type == .regular ? present?.mode : nil
    try Self.fill(temporary, with: bytes, mode: mode ?? kept)
  }

  /// Uses content that is already written.
  init(
    _ file: LocatedFile, temporaryName: String, expecting expectation: AtomicFile.Expectation
  ) {
    self.file = file
    self.expectation = expectation
    temporary = file.sibling(temporaryName)
  }

  private static func fill(
    _ file: LocatedFile, with bytes: [UInt8], mode: UInt32?
  ) throws(FileError) {
    let path = file.path
    let descriptor = try open(file, mode ?? 0o666)
    defer { close(descriptor) }
    do throws(FileError) {
      if let mode, fchmod(descriptor, mode_t(mode)) != 0 {
        let error = FileError.last(.write, path)
        // Some disks refuse any change of permissions, also to those that a file has.
        guard (try? FileSystem.status(file))??.mode == mode else { throw error }
      }
      let code = bytes.withUnsafeBytes { FileSystem.writeAll($0, to: descriptor) }
      guard code == 0 else { throw FileError(.write, path: path, code: code) }
    } catch {
      try? FileSystem.remove(file)
      throw error
    }
  }

  private static func open(_ file: LocatedFile, _ mode: UInt32) throws(FileError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL
    do throws(FileError) {
      return try FileSystem.open(file, flags, mode: mode)
    } catch {
      guard error.isPresent else { throw error }
      // Left by a crashed run: holding the lock means that nobody is using it.
      try StaleFiles.settle(file)
      return try FileSystem.open(file, flags, mode: mode)
    }
  }

  /// Renames the content to its final name if the path still holds what is expected.
  ///
  /// In any case, the temporary name never keeps another program's content: if an exchange brings
  /// out unexpected content, it is restored.
  ///
  /// - Parameter pause: Called before the exchange, with `false`, and after it, with `true`.
  func commit(pause: (_ isExchanged: Bool) -> Void = { _ in }) throws(FileError)
    -> AtomicFile.Outcome
  {
    do throws(FileError) {
      return try place(pause)
    } catch {
      removeFollower()
      // The temporary file may hold what the exchange brought out.
      _ = try? StaleFiles.settle(temporary)
      throw error
    }
  }

  private func place(_ pause: (Bool) -> Void) throws(FileError) -> AtomicFile.Outcome {
    switch expectation {
    case .anything:
      try FileSystem.rename(temporary, to: file)
      return .done
    case .absent:
      do throws(FileError) {
        try FileSystem.renameIfAbsent(temporary, to: file)
        return .done
      } catch {
        guard error.isPresent else { throw error }
        return giveUp()
      }
    case .content(let digest):
      return try replace(expecting: digest, pause)
    }
  }

  private func replace(
    expecting digest: ContentDigest, _ pause: (Bool) -> Void
  ) throws(FileError) -> AtomicFile.Outcome {
    let lock = FileLock.onFolder(of: file)
    defer { withExtendedLifetime(lock) {} }
    // New content that must not stay is never shown to others, who would build on it.
    guard FileSystem.digest(file) == digest else { return giveUp() }
    pause(false)
    do throws(FileError) {
      guard try FileSystem.exchange(temporary, file) else {
        // Nothing comes out that could be checked.
        if FileSystem.isBeingWritten(file) { return giveUp() }
        try FileSystem.rename(temporary, to: file)
        return .done
      }
    } catch {
      guard error.isMissing else { throw error }
      return giveUp()
    }
    pause(true)
    // Check the content that came out, not what was there a moment ago.
    if !FileSystem.isBeingWritten(temporary), FileSystem.digest(temporary) == digest {
      discard()
      return .done
    }
    // A sync that runs meanwhile may have settled the temporary file.
    if try FileSystem.status(temporary) == nil, let new = FileSystem.digest(file),
      TemporaryName(temporary.name)?.isNew(new) == true
    {
      return .done
    }
    removeFollower()
    try StaleFiles.settle(temporary, wasEdited: true)
    return .changedMeanwhile
  }

  private func giveUp() -> AtomicFile.Outcome {
    removeFollower()
    discard()
    return .changedMeanwhile
  }

  private func removeFollower() {
    if let follower { try? FileSystem.remove(follower) }
  }

  func discard() { try? FileSystem.remove(temporary) }
}
