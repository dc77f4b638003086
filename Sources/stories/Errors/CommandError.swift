import StoryLibrary

/// Why a command cannot do what its command line asks for.
enum CommandError: Error, Sendable, Equatable {
  /// The folder of `-C` is not there.
  case noSuchFolder(String)
  /// A word names no record; `nearest` is one that may have been meant.
  case noSuchRecord(String, noun: String, nearest: RecordRef?)
  /// A word names a record that only the server makes, which the command is not for.
  case readOnly(RecordRef)
  /// A word without a kind names several records.
  case ambiguousName(String, [RecordRef])
  /// A word names several records where one is wanted.
  case severalRecords(String, count: Int)
  /// A path that leads out of the library.
  case outsideLibrary(String, root: String)
  /// A new record's name is taken.
  case nameTaken(RecordRef, path: String)
  /// A new record's name belongs to one that was deleted here, which the server does not know yet.
  case nameOfDeleted(RecordRef)
  /// A name with no letter or digit that a file name could be made of, or a folder that is none.
  case badName(String, what: String)
  /// A story needs a hero; `choices` are those that are here.
  case heroNeeded(choices: [RecordRef])
  /// What a new record would say is not allowed in one.
  case badRecord(Problem)
  /// A new library's folder has something in it.
  case folderInUse(String)
  /// The command needs a server, and nothing names one.
  case noServer
  /// The embedded backend needs no account.
  case embeddedHasNoAccounts
  /// A library that was not made, cloned or signed in to here would be synced with a session of this
  /// user's.
  case unknownLibrary(root: String, server: String, account: String)
  /// No folder can be found for the person's own configuration.
  case noConfigurationFolder
  /// No password was typed, or there is no terminal to ask for one on.
  case noPassword(isTerminal: Bool)
  /// An engine's key was to be read from standard input, and there is none.
  case noKey
  /// A new password was typed differently the second time.
  case passwordsDiffer
  /// The results could not be written.
  case outputFailed(code: Int32)
}
