import CPlatform
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the file system itself costs: the limits that the program is held against.
enum RawTree {
  /// Writes a file without care.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(.write, path: path, code: errno) }
    defer { close(descriptor) }
    guard systemWrite(descriptor, bytes, bytes.count) == bytes.count else {
      throw FileError(.write, path: path, code: errno)
    }
  }

  /// The paths of all files below a folder, `.git` and `.stories` left out.
  static func files(_ root: String) throws -> [String] {
    var files: [String] = []
    func walk(_ folder: String) throws {
      for entry in try FileSystem.list(folder)
      where entry.name != ".git" && entry.name != ".stories" {
        let path = folder + "/" + entry.name
        if entry.type == .folder { try walk(path) } else { files.append(path) }
      }
    }
    try walk(root)
    return files
  }

  /// Asks for the status of every file, one after the other.
  static func statAll(_ files: [String]) -> Double {
    Bench.seconds {
      var status = stat()
      for path in files { _ = lstat(path, &status) }
    }
  }

  /// Reads every file, one after the other, into one buffer.
  static func readAll(_ files: [String]) -> Double {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return Bench.seconds {
      for path in files {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        while read(descriptor, &buffer, buffer.count) > 0 {}
        close(descriptor)
      }
    }
  }

  /// Writes files as durably as a sync does and as plainly as can be: temporary names, one flush of
  /// the file system for each batch, renames, one flush of each folder.
  ///
  /// - Parameter files: paths relative to `root`, whose folders are there, with their content.
  static func writeBatches(
    _ files: [(path: String, bytes: [UInt8])], in root: String, batch: Int = 1_000
  ) throws -> Double {
    try Bench.seconds {
      var next = 0
      while next < files.count {
        let part = files[next..<min(next + batch, files.count)]
        next += part.count
        var folders: Set<String> = []
        for file in part {
          let path = root + "/" + file.path
          try write(file.bytes, to: path + ".tmp")
          folders.insert(Path.parent(path))
        }
        try flushAll(root)
        for file in part {
          let path = root + "/" + file.path
          guard rename(path + ".tmp", path) == 0 else {
            throw FileError(.rename, path: path, code: errno)
          }
        }
        for folder in folders { try FileSystem.flushFolder(folder) }
      }
    }
  }

  /// Makes sure that everything written to the file system of a folder has reached the disk.
  static func flushAll(_ folder: String) throws {
    #if canImport(Glibc)
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(.flush, path: folder, code: errno) }
      defer { close(descriptor) }
      guard stories_syncfs(descriptor) == 0 else {
        throw FileError(.flush, path: folder, code: errno)
      }
    #else
      sync()
    #endif
  }
}

private func systemWrite(_ file: Int32, _ buffer: [UInt8], _ count: Int) -> Int {
  write(file, buffer, count)
}
