import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct LibraryExaminer {
  let library: Library
  let repository: GitRepository?

  func diagnostics(_ scan: Scan?) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let version = library.configuration.version
    if version > LibraryConfiguration.version {
      diagnostics.append(
        Diagnostic(
          .error, .library, .newerVersion(version), file: LibraryConfiguration.fileName))
    }
    for folder in [""] + EntityKind.writable.map(\.folder) where !isWritable(folder) {
      diagnostics.append(
        Diagnostic(.warning, .library, .readOnly, file: folder.isEmpty ? "." : folder))
    }
    diagnostics += emptyFolders()
    diagnostics += gitDiagnostics(scan)
    return diagnostics
  }

  private func isWritable(_ folder: String) -> Bool {
    let path = library.path(folder)
    return !FileSystem.exists(path) || access(path.text, W_OK | X_OK) == 0
  }

  // MARK: Folders

  private func emptyFolders() -> [Diagnostic] {
    var found: [Diagnostic] = []
    func walk(_ folder: String, depth: Int) {
      // The scanner reports deeper nesting.
      guard depth < 32, let entries = try? FileSystem.list(library.path(folder)) else { return }
      for entry in entries where entry.type == .folder {
        let inner = Path.join(folder, entry.name)
        if entry.name == ".sync" {
          if (try? FileSystem.list(library.path(inner)))?.isEmpty == true {
            found.append(
              Diagnostic(
                .note, .staleFiles, .emptyFolder, file: inner, repair: .removeFolder(path: inner)))
          }
        } else if !entry.name.hasPrefix(".") {
          walk(inner, depth: depth + 1)
        }
      }
    }
    for kind in EntityKind.writable { walk(kind.folder, depth: 0) }
    return found
  }

  // MARK: Git

  private func gitDiagnostics(_ scan: Scan?) -> [Diagnostic] {
    guard let repository else { return [] }
    var diagnostics: [Diagnostic] = []
    do throws(GitFailure) {
      if try repository.tracksState() {
        diagnostics.append(
          Diagnostic(.error, .git, .stateIsTracked, file: Library.stateFolderName))
      }
    } catch {
      diagnostics.append(Diagnostic(.warning, .git, .gitFailed))
      return diagnostics
    }
    // One per folder with sidecars is enough to detect a rule that ignores them.
    let folders = Set(
      (scan?.entries ?? []).filter { $0.id != nil }.map { Path.parent($0.sidecarPath) })
    guard !folders.isEmpty else { return diagnostics }
    let input = folders.map { Path.join($0, "sidecar.json") + "\0" }.joined()
    let ignored = repository.paths(
      .checkIgnore, ["--no-index", "-z", "--stdin"], input: Array(input.utf8), orNone: 1)
    for path in Set(ignored ?? []).sorted() {
      diagnostics.append(
        Diagnostic(.warning, .git, .sidecarsIgnored, file: Path.parent(path)))
    }
    return diagnostics
  }
}
