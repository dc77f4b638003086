import StoryMedia
import StorySync

/// What every command that has the server make something takes.
struct GenerationSettings: Sendable {
  var regenerates = false
  var staysHere = false
  var limit: Count?
  var isDryRun = false

  /// The same for the library.
  var options: GenerationOptions {
    var options = GenerationOptions()
    options.regenerates = regenerates
    options.pushes = !staysHere
    if let limit { options.polling.limit = .seconds(limit.value) }
    return options
  }
}
