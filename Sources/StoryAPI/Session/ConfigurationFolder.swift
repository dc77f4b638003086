/// Where the person's own configuration lies, outside every library.
public enum ConfigurationFolder {
  /// The folder that the environment names: `STORIES_CONFIG_DIR`, else `stories` within
  /// `XDG_CONFIG_HOME`, else within `.config` of `HOME` (XDG Base Directory Specification). Relative
  /// paths in `XDG_CONFIG_HOME` are ignored, as that specification says.
  ///
  /// - Returns: `nil` where the environment has none of them.
  public static func path(environment: [String: String]) -> String? {
    if let folder = environment["STORIES_CONFIG_DIR"], !folder.isEmpty { return folder }
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/stories"
    }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/stories" }
    return nil
  }
}
