/// The version of this program.
enum ProgramVersion {
  /// What `stories --version` prints and servers are told.
  static let text = "0.1.0"
}
