import StoryLibrary

/// The reason why a command cannot do what its command line requests.
enum CommandError: Error, Sendable, Equatable {
  /// The folder of `-C` does not exist.
  case noSuchFolder(String)
  /// A word matches no record; `nearest` may have been meant.
  case noSuchRecord(String, noun: String, nearest: RecordRef?)
  /// A word matches a record of another kind than the command takes.
  case otherKind(String, RecordRef, noun: String)
  /// A word matches only records that are missing together with their sidecars.
  case missing([RecordRef])
  /// A word matches a folder of which runs only kept deleted records.
  case onlyDeleted([RecordRef])
  /// A word matches a folder that cannot be read, or something in it.
  case cannotBeRead(Problem)
  case readOnly(RecordRef)
  case ambiguousName(String, [RecordRef])
  case severalRecords(String, count: Int)
  case outsideLibrary(String, root: String)
  case nameTaken(RecordRef, path: String)
  /// A new record has the name of a locally deleted one that the server still has.
  case nameOfDeleted(RecordRef)
  /// A name without a letter or digit for a file name, or an invalid folder.
  case badName(String, what: String)
  /// A story needs a hero; `choices` are the local ones.
  case heroNeeded(choices: [RecordRef])
  /// A word that states no field of a kind; `nearest` may have been meant.
  case badField(String, EntityKind, nearest: String?)
  case badRecord(Problem)
  case folderInUse(String)
  case noServer
  case embeddedHasNoAccounts
  /// Nobody is signed in to a server outside of any library.
  case notSignedIn(server: String)
  /// A library that this user has not created, cloned or signed in to would use the user's session.
  case unknownLibrary(root: String, server: String, account: String)
  case noConfigurationFolder
  /// `--allow-plain-http` for a server that does not use plain http.
  case nothingToAllow(String)
  /// No password was typed, or there is no terminal to ask on.
  case noPassword(isTerminal: Bool)
  case accountTaken(String)
  case wrongNameOrPassword
  /// A token was to be read from standard input, and there is none.
  case noToken
  /// An engine's key should come from standard input, but there is none.
  case noKey
  case passwordsDiffer
  case outputFailed(code: Int32)
}
