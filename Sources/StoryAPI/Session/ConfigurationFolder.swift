/// The user's configuration, outside every library.
public enum ConfigurationFolder {
  /// Returns the folder from the environment: `STORIES_CONFIG_DIR`, or `stories` in
  /// `XDG_CONFIG_HOME`, or in `.config` of `HOME` (XDG Base Directory Specification). As required
  /// there, relative paths in `XDG_CONFIG_HOME` are ignored.
  ///
  /// - Returns: `nil` if the environment has none of these variables.
  public static func path(environment: [String: String]) -> String? {
    if let folder = environment["STORIES_CONFIG_DIR"], !folder.isEmpty { return folder }
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/stories"
    }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/stories" }
    return nil
  }
}
