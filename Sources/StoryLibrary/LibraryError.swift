/// Why a library as a whole cannot be used.
public enum LibraryError: Error, Sendable, Hashable {
  /// No folder from here upwards has a `library.json`.
  case notFound(from: String)
  /// There is a library at this path already.
  case exists(String)
  /// `library.json` was made by a newer version of this program; the library is only read.
  case newerVersion(Int)
  /// `.stories` is a link or a file, or git tracks it.
  case unsafeState(path: String, reason: String)
  /// Another process holds the library's lock.
  case locked(holder: String)
  /// The repository at `marker`, a folder or file `.git`, may be a sparse checkout, and git does not
  /// answer: what is not checked out looks like what was deleted.
  case sparseUnknown(marker: String, GitFailure)
}
