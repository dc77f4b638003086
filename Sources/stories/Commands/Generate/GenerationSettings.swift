import StoryMedia
import StorySync

/// The settings of all generating commands.
struct GenerationSettings: Sendable {
  var regenerates = false
  var staysLocal = false
  var limit: Count?
  var isDryRun = false

  /// The same settings for the library.
  var options: GenerationOptions {
    var options = GenerationOptions()
    options.regenerates = regenerates
    options.pushes = !staysLocal
    if let limit { options.polling.limit = .seconds(limit.value) }
    return options
  }
}
