import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a test's own, which goes with everything in it when nobody uses it any more.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/story-library-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FileError(.makeFolder, path: "/tmp", code: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileSystem.removeTree(path) }

  func path(_ relative: String) -> String { path + "/" + relative }

  /// Writes a file as an editor would that truncates and writes, with the folders it needs.
  func write(_ text: String, to relative: String) throws {
    try write(Array(text.utf8), to: relative)
  }

  func write(_ bytes: [UInt8], to relative: String) throws {
    let target = path(relative)
    try FileSystem.makeFolder(Path.parent(target))
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(.write, path: target, code: errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      guard count > 0 else { throw FileError(.write, path: target, code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  func read(_ relative: String) throws -> String {
    String(decoding: try FileSystem.read(path(relative)), as: UTF8.self)
  }

  func exists(_ relative: String) -> Bool { FileSystem.exists(path(relative)) }

  func makeFolder(_ relative: String) throws { try FileSystem.makeFolder(path(relative)) }

  func remove(_ relative: String) throws { try FileSystem.removeTree(path(relative)) }

  func move(_ from: String, to: String) throws {
    try FileSystem.makeFolder(Path.parent(path(to)))
    try FileSystem.rename(path(from), to: path(to))
  }

  /// Makes a symbolic link at `relative` that leads to `target`.
  func link(_ relative: String, to target: String) throws {
    guard symlink(target, path(relative)) == 0 else {
      throw FileError(.write, path: path(relative), code: errno)
    }
  }

  /// All files below a folder, relative to it, in the order of their bytes; folders end in `/`.
  func files(below folder: String = "") throws -> [String] {
    var found: [String] = []
    for entry in try FileSystem.list(Path.join(path, folder)) {
      let inner = Path.join(folder, entry.name)
      if entry.type == .folder {
        let below = try files(below: inner)
        found += below.isEmpty ? [inner + "/"] : below
      } else {
        found.append(inner)
      }
    }
    return found
  }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  write(descriptor, buffer.baseAddress, buffer.count)
}
