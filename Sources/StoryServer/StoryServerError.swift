/// An error of a server or its data folder.
public enum StoryServerError: Error, Sendable, Equatable {
  /// The server cannot listen on the address. `reason` is the system's error message.
  case cannotListen(host: String, port: Int, reason: String)
  /// Another server has this data folder open.
  case dataFolderInUse(path: String)
  /// A line of the log is damaged. Nothing was changed. `line` counts from 1.
  case damagedLog(path: String, line: Int, reason: String)
  /// The log was written by a newer version of the program.
  case unsupportedLogVersion(path: String, version: Int)
  /// A file or folder cannot be used. `operation` is the attempted operation.
  case file(path: String, operation: String, reason: String)
  /// The operation is only possible before the server is started.
  case alreadyStarted
  /// The server was stopped. It cannot be started again.
  case stopped
  /// No account has this email address.
  case unknownAccount(email: String)
  /// The email address is not valid for an account.
  case invalidEmail(String)
}
