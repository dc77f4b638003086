#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on paths, which are strings with `/` between components.
public enum Path {
  /// Returns the folder that contains `path`: everything before the last `/`, or nothing.
  public static func parent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of `path`.
  public static func name(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns `path` without `.json` at its end, or `nil` if it does not end so. Bytes are compared: a
  /// combining mark behind it makes another ending.
  static func withoutJSON(_ path: String) -> String? {
    guard path.utf8.suffix(5).elementsEqual(".json".utf8) else { return nil }
    return String(Substring(path.utf8.dropLast(5)))
  }

  /// Appends `path` to `folder`. An absolute `path` is returned as is; an empty side is omitted.
  public static func join(_ folder: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || folder.isEmpty { return path }
    if path.isEmpty { return folder }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
  }

  /// Returns `path` as an absolute path, with `.` and `..` resolved textually.
  public static func absolute(_ path: String, in folder: String) -> String {
    var components: [String] = []
    for component in join(folder, path).utf8.split(separator: UInt8(ascii: "/")) {
      switch String(Substring(component)) {
      case ".": break
      case "..": _ = components.popLast()
      case let name: components.append(name)
      }
    }
    return "/" + components.joined(separator: "/")
  }

  /// Returns `path` relative to `folder`, or `nil` if it is not inside it.
  public static func relative(_ path: String, to folder: String) -> String? {
    if path == folder { return "" }
    let prefix = folder == "/" ? "/" : folder + "/"
    guard path.utf8.starts(with: prefix.utf8) else { return nil }
    return String(path.utf8.dropFirst(prefix.utf8.count))
  }

  /// Returns the absolute path with all links resolved, or `nil` if nothing exists there.
  public static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// Returns the working directory of this process.
  public static func currentFolder() -> String {
    guard let pointer = getcwd(nil, 0) else { return "/" }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
