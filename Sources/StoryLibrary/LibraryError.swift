/// An error that concerns a library as a whole.
public enum LibraryError: Error, Sendable, Hashable {
  /// Neither the folder nor any above it has a `library.json`.
  case notFound(from: String)
  /// The path already has a library.
  case exists(String)
  /// `library.json` was written by a newer version of this program; the library is read-only.
  case newerVersion(Int)
  /// The state folder `.stories` is unsafe: a link, a file, or tracked by git.
  case unsafeState(path: String, reason: String)
  /// Another process holds the library's lock.
  case locked(holder: String)
  /// The repository at `marker`, a `.git` folder or file, may be a sparse checkout, but git fails
  /// to say: files that are not checked out would look deleted.
  case sparseUnknown(marker: String, GitFailure)
}
