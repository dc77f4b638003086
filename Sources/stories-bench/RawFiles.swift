import CPlatform
import Foundation
import StoryLibrary

/// The cost of the file system alone, which is the limit for the program.
enum RawFiles {
  /// Writes a file without a temporary name or a flush.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError("cannot write \(path): error \(errno)") }
    defer { close(file) }
    guard systemWrite(file, bytes, bytes.count) == bytes.count else {
      throw BenchError("cannot write \(path): error \(errno)")
    }
  }

  /// Returns the files in a folder except in `.git` and `.stories`: sidecars, records, or both.
  static func list(_ root: String, sidecars: Bool? = nil) throws -> [String] {
    var files: [String] = []
    func walk(_ folder: String) throws {
      for entry in try FileSystem.list(folder) where ![".git", ".stories"].contains(entry.name) {
        let path = "\(folder)/\(entry.name)"
        if entry.type == .folder {
          try walk(path)
        } else if sidecars.map({ $0 == folder.hasSuffix("/.sync") }) ?? true {
          files.append(path)
        }
      }
    }
    try walk(root)
    return files
  }

  /// Reads all files in sequence into one buffer.
  static func readAll(_ files: [String]) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    for path in files {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      while read(file, &buffer, buffer.count) > 0 {}
      close(file)
    }
  }

  /// Writes copies of files as durably as a sync but as simply as possible. For each thousand:
  /// temporary names, one flush of the file system, renames, and one flush of each folder.
  ///
  /// - Returns: The seconds, excluding reading the originals.
  static func writeAgain(_ files: [String], to copy: String) async throws -> Double {
    var contents: [(path: String, bytes: [UInt8])] = []
    for (number, path) in files.enumerated() {
      let folder = "\(copy)/\(Path.name(Path.parent(path)))"
      if number == 0 { mkdir(copy, 0o755) }
      mkdir(folder, 0o755)
      contents.append(("\(folder)/\(number)", try FileSystem.read(path)))
    }
    try flush(copy)
    return try await seconds {
      for start in stride(from: 0, to: contents.count, by: 1_000) {
        let batch = contents[start..<min(start + 1_000, contents.count)]
        for file in batch { try write(file.bytes, to: file.path + ".tmp") }
        try flush(copy)
        for file in batch { rename(file.path + ".tmp", file.path) }
        for folder in Set(batch.map { Path.parent($0.path) }) { try flush(folder, all: false) }
      }
    }
  }

  /// Flushes a folder, or its whole file system.
  static func flush(_ folder: String, all: Bool = true) throws {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw BenchError("cannot open \(folder): error \(errno)") }
    defer { close(file) }
    #if canImport(Glibc)
      guard (all ? stories_syncfs(file) : fsync(file)) == 0 else {
        throw BenchError("cannot flush \(folder): error \(errno)")
      }
    #else
      fsync(file)
    #endif
  }
}

private func systemWrite(_ file: Int32, _ buffer: [UInt8], _ count: Int) -> Int {
  write(file, buffer, count)
}
