import StoryServer

struct EngineCommand: CommandFamily {
  static let name = "engine"
  static let summary = "Choose what writes stories, draws and reads aloud"
  static let discussion = """
    The server in this program and `stories serve` ask engines: one for text, one for pictures, one for \
    speech, on this machine or elsewhere. Any engine with an OpenAI-compatible API will do, such as \
    Ollama, llama.cpp, vLLM or LocalAI. Without one, stories and pictures are placeholders; espeak-ng \
    reads aloud if it is installed.

    Engines are your own settings, kept in your configuration folder (engines.json) and never in a \
    library. Keys are kept where sessions are, for the engine's address alone.

    In scripts the environment can name them: STORIES_TEXT_URL, STORIES_TEXT_MODEL and STORIES_TEXT_KEY, \
    the same with PICTURES and SPEECH, and STORIES_SPEECH_PROGRAM and STORIES_SPEECH_VOICE.
    """
  static let examples = [
    Example("stories engine", "what is set"),
    Example("stories engine set text --url http://127.0.0.1:11434/v1 --model NAME", "Ollama"),
    Example("stories engine set speech --program espeak-ng", "a program of this machine"),
    Example("stories engine test", "make one of each"),
  ]
  static let subcommands: [any Command.Type] = [
    EngineListCommand.self, EngineSetCommand.self, EngineUnsetCommand.self, EngineTestCommand.self,
    EnginePromptsCommand.self,
  ]
  static let defaultSubcommand: (any Command.Type)? = EngineListCommand.self
}

extension EngineRole: ChoiceArgument {}
