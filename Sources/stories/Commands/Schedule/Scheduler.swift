import StoryLibrary

/// A part of the system that starts programs at intervals.
enum Scheduler: String, ChoiceArgument {
  case systemd, launchd, cron

  /// Returns what this system has: launchd on a Mac, systemd if it runs, else cron.
  static func usual(_ context: Context) -> Scheduler {
    #if canImport(Darwin)
      return .launchd
    #else
      // sd_booted(3)
      let hasSystemd =
        FileSystem.exists("/run/systemd/system")
        && ExternalProgram.path(of: "systemctl", in: context.environment) != nil
      return hasSystemd ? .systemd : .cron
    #endif
  }
}

/// The scheduled syncs of one library with one scheduler.
struct Schedule: Sendable {
  private let library: Library
  let scheduler: Scheduler
  private let context: Context
  private let home: String
  /// The name of its unit, agent or line: the library folder's, and a digest of its path.
  private let name: String

  /// - Throws: `CommandError.noConfigurationFolder` without a home folder.
  init(_ library: Library, _ scheduler: Scheduler, _ context: Context) throws {
    guard let home = context.environment["HOME"], home.hasPrefix("/") else {
      throw CommandError.noConfigurationFolder
    }
    self.library = library
    self.scheduler = scheduler
    self.context = context
    self.home = home
    let digest = ContentDigest(Array(library.root.utf8)).description.prefix(8)
    name = "stories-\(Slug.make(Path.name(library.root), fallback: "library"))-\(digest)"
  }

  // MARK: What is there

  /// Returns the library's schedules, and the error of a scheduler that did not tell whether it has one.
  static func installed(
    for library: Library, _ context: Context
  ) throws -> (schedules: [Schedule], failure: ProgramError?) {
    var found: (schedules: [Schedule], failure: ProgramError?) = ([], nil)
    for scheduler in Scheduler.allCases {
      let schedule = try Schedule(library, scheduler, context)
      do throws(ProgramError) {
        if try schedule.isInstalled { found.schedules.append(schedule) }
      } catch {
        found.failure = error
      }
    }
    return found
  }

  /// Whether the library's syncs are scheduled here.
  ///
  /// - Throws: `ProgramError.failed` if the crontab cannot be read.
  private var isInstalled: Bool {
    get throws(ProgramError) {
      switch scheduler {
      case .systemd: FileSystem.exists(unit("timer"))
      case .launchd: FileSystem.exists(agent)
      case .cron: try crontabLines().contains(where: isOwn)
      }
    }
  }

  private func unit(_ type: String) -> String {
    let folder =
      context.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? Path.join(home, ".config")
    return Path.join(folder, "systemd/user/\(name).\(type)")
  }

  private var agent: String { Path.join(home, "Library/LaunchAgents/\(name).plist") }

  /// The end of the library's line in the crontab.
  private var mark: String { "# \(name)" }

  /// Returns the lines of the user's crontab, byte for byte; none if cron is not installed, or not
  /// for this user (cron.allow).
  ///
  /// - Throws: `ProgramError.failed` if it cannot be read: it would be lost if it were replaced.
  private func crontabLines() throws(ProgramError) -> [ArraySlice<UInt8>] {
    let environment = context.childEnvironment
    let failure = ProgramError.failed(
      "crontab -l", reason: "your crontab cannot be read, so it is left alone")
    func run(_ words: [String]) throws(ProgramError) -> ChildProcess.Result {
      do {
        return try ChildProcess(words, environment: environment).run(
          input: [], seconds: 10, limit: 1 << 20)
      } catch {
        throw failure
      }
    }
    guard let program = ExternalProgram.path(of: "crontab", in: environment) else { return [] }
    let result = try run(["crontab", "-l"])
    guard result.status == 0 else {
      // Only its words tell an empty crontab from one that cannot be read.
      let script = "export LC_ALL=C; exec \"$0\" -l 2>&1 >/dev/null"
      let told = try run(["/bin/sh", "-c", script, program])
      let words = String(decoding: told.output, as: UTF8.self).lowercased()
      guard result.status == 1, told.status == 1,
        ["no crontab for", "not allowed to use this program"].contains(where: words.contains)
      else { throw failure }
      return []
    }
    var lines = result.output.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private func isOwn(_ line: ArraySlice<UInt8>) -> Bool {
    line.suffix(mark.utf8.count) == ArraySlice(mark.utf8)
  }

  // MARK: Changes

  private var words: [String] { [context.programPath, "-C", library.root, "schedule", "run"] }

  /// The variables that name the configuration folder, which has the sessions.
  private var variables: [(name: String, value: String)] {
    var result: [(name: String, value: String)] = []
    if let folder = context.environment["STORIES_CONFIG_DIR"], !folder.isEmpty {
      // The system starts syncs in another folder.
      result.append(("STORIES_CONFIG_DIR", Path.absolute(folder, in: context.startFolder)))
    }
    if let folder = context.environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      result.append(("XDG_CONFIG_HOME", folder))
    }
    return result
  }

  /// Returns what sets the syncs up.
  ///
  /// - Throws: `UsageError` for an interval that cron does not know.
  func installation(every: Duration) throws -> ScheduleChange {
    let seconds = every.wholeSeconds
    // A line break would begin a line of its own in a unit or a crontab.
    let texts = words + [home, unit("timer"), agent] + variables.map { $0.value }
    let isSafe = texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    guard isSafe else {
      throw ProgramError.failed(
        "schedule",
        reason: "the folder's name has a control character, such as a line break: rename it")
    }
    switch scheduler {
    case .systemd:
      return ScheduleChange(
        files: [
          (unit("service"), serviceUnit), (unit("timer"), timerUnit(seconds)),
        ],
        commands: [
          ["systemctl", "--user", "daemon-reload"],
          ["systemctl", "--user", "enable", "--now", "\(name).timer"],
        ])
    case .launchd:
      // An agent that is not loaded cannot be unloaded.
      return ScheduleChange(
        files: [(agent, propertyList(seconds))],
        commands: (try isInstalled ? [["launchctl", "unload", agent]] : [])
          + [["launchctl", "load", "-w", agent]])
    case .cron:
      let line = "\(try cronTime(seconds)) \(cronCommand) \(mark)"
      let lines = try crontabLines().filter { !isOwn($0) } + [ArraySlice(line.utf8)]
      return ScheduleChange(
        commands: [["crontab", "-"]], crontab: (lines, comes: true, changed: line))
    }
  }

  func removal() throws -> ScheduleChange {
    switch scheduler {
    case .systemd:
      return ScheduleChange(
        removed: [unit("timer"), unit("service")],
        commands: [
          ["systemctl", "--user", "disable", "--now", "\(name).timer"],
          ["systemctl", "--user", "daemon-reload"],
        ])
    case .launchd:
      return ScheduleChange(removed: [agent], commands: [["launchctl", "unload", "-w", agent]])
    case .cron:
      let lines = try crontabLines()
      let line = lines.first(where: isOwn).map { String(decoding: $0, as: UTF8.self) } ?? mark
      return ScheduleChange(
        commands: [["crontab", "-"]],
        crontab: (lines.filter { !isOwn($0) }, comes: false, changed: line))
    }
  }

  // MARK: Texts

  /// systemd.service(5); words are quoted and `%` doubled (systemd.unit(5), "Quoting"). So is `$` in
  /// commands, but not in `Environment=`, where it stands for itself (systemd.exec(5)).
  private var serviceUnit: String {
    func quoted(_ word: String) -> String {
      let text = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("%", with: "%%")
      return "\"\(text)\""
    }
    let command = words.map { quoted($0).replacing("$", with: "$$") }.joined(separator: " ")
    let settings = variables.map { "Environment=\(quoted("\($0.name)=\($0.value)"))\n" }.joined()
    return """
      [Unit]
      Description=Sync of \(name)
      After=network-online.target

      [Service]
      Type=oneshot
      \(settings)ExecStart=\(command)
      # Conflicts are for a person, not a failure of the service.
      SuccessExitStatus=3

      """
  }

  /// systemd.timer(5).
  private func timerUnit(_ seconds: Int) -> String {
    """
    [Unit]
    Description=Sync of \(name), at intervals

    [Timer]
    OnActiveSec=1min
    OnUnitActiveSec=\(seconds)s
    RandomizedDelaySec=\(max(1, seconds / 10))s

    [Install]
    WantedBy=timers.target

    """
  }

  /// launchd.plist(5).
  private func propertyList(_ seconds: Int) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
    let arguments = words.map { "    <string>\(escaped($0))</string>" }.joined(separator: "\n")
    let settings = variables.map {
      "    <key>\($0.name)</key>\n    <string>\(escaped($0.value))</string>\n"
    }.joined()
    let environment =
      settings.isEmpty
      ? "" : "  <key>EnvironmentVariables</key>\n  <dict>\n\(settings)  </dict>\n"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(escaped(name))</string>
        <key>ProgramArguments</key>
        <array>
      \(arguments)
        </array>
      \(environment)  <key>StartInterval</key>
        <integer>\(seconds)</integer>
        <key>RunAtLoad</key>
        <true/>
      </dict>
      </plist>

      """
  }

  /// The words for a shell; cron takes `%` for the end of a line (crontab(5)).
  private var cronCommand: String {
    let settings = variables.map { "\($0.name)=\(ShellWord.quoting($0.value)) " }.joined()
    return (settings + ShellWord.line(words)).replacing("%", with: "\\%")
      + " >/dev/null 2>&1"
  }

  /// Returns the fields of a crontab line: cron knows minutes that divide an hour, hours that divide
  /// a day, and days.
  private func cronTime(_ seconds: Int) throws(UsageError) -> String {
    let minutes = seconds / 60
    switch minutes {
    case _ where seconds % 60 != 0: break
    case 1: return "* * * * *"
    case 1..<60 where 60 % minutes == 0: return "*/\(minutes) * * * *"
    case 60: return "7 * * * *"
    case _ where minutes % 60 == 0 && minutes < 1_440 && 24 % (minutes / 60) == 0:
      return "7 */\(minutes / 60) * * *"
    case 1_440: return "7 4 * * *"
    default: break
    }
    throw UsageError(
      .wrongValue(
        of: "--every", Duration.seconds(seconds).text,
        ValueProblem(expected: "for cron a time that divides an hour or a day, such as 15m or 6h")))
  }
}
