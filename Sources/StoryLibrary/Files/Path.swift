#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Paths as strings with `/` between components.
public enum Path {
  /// The folder that holds `path`: everything before the last `/`; empty where there is none.
  public static func parent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of `path`.
  public static func name(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Puts `path` behind `folder`; an absolute `path` stays itself, an empty side is left out.
  public static func join(_ folder: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || folder.isEmpty { return path }
    if path.isEmpty { return folder }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
  }

  /// `path` as an absolute path, with `.` and `..` resolved by their names alone.
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

  /// `path` below `folder` as a relative path; `nil` where it is not below it.
  public static func relative(_ path: String, to folder: String) -> String? {
    if path == folder { return "" }
    let prefix = folder == "/" ? "/" : folder + "/"
    guard path.utf8.starts(with: prefix.utf8) else { return nil }
    return String(path.utf8.dropFirst(prefix.utf8.count))
  }

  /// The absolute path behind all links, as the system sees it; `nil` where nothing is there.
  public static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// The folder in which this process runs.
  public static func currentFolder() -> String {
    guard let pointer = getcwd(nil, 0) else { return "/" }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
