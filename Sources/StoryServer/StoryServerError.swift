/// What keeps a server from starting or from keeping its promises.
public enum StoryServerError: Error, Sendable, Equatable {
  /// The address cannot be listened on; `reason` is the system's word for it.
  case cannotListen(host: String, port: Int, reason: String)
  /// Another server has this data folder open.
  case dataFolderInUse(path: String)
  /// A line of the log is damaged. Nothing was changed; lines count from 1.
  case damagedLog(path: String, line: Int, reason: String)
  /// The log was written by a newer program.
  case unsupportedLogVersion(path: String, version: Int)
  /// A file or folder could not be used; `operation` is what was tried.
  case file(path: String, operation: String, reason: String)
  /// The operation is possible only before the server answers.
  case alreadyStarted
  /// The server was stopped; a stopped server does not start again.
  case stopped
  /// No account has this e-mail address.
  case unknownAccount(email: String)
  /// An account cannot have this e-mail address.
  case invalidEmail(String)
}
