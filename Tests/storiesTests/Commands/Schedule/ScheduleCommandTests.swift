import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `stories schedule` as it was built, with programs in place of the system's.
@Suite(.inTurn) struct ScheduleCommandTests {
  private let folder: TemporaryFolder
  private let program: BuiltProgram

  /// A library, and a `systemctl` and `crontab` that keep what they are told.
  init() throws {
    folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["PATH"] = folder.path("bin") + ":/usr/bin:/bin"
    self.program = program
    try script("systemctl", "echo \"$*\" >> \"$HOME/told\"")
    try script("launchctl", "echo \"$*\" >> \"$HOME/told\"")
    try script(
      "crontab",
      """
      [ "$1" = -l ] || exec cat > "$HOME/table"
      cat "$HOME/table" 2>/dev/null || { echo 'no crontab for ann' >&2; exit 1; }
      """)
    #expect(try program.run("init", "my lib").code == 0)
  }

  private func script(_ name: String, _ text: String) throws {
    try folder.write("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
    try folder.setMode("bin/\(name)", 0o755)
  }

  private func run(_ words: String...) throws -> BuiltProgram.Result {
    try program.run(["-C", "my lib", "schedule"] + words)
  }

  private var units: [String] {
    (try? FileSystem.list(folder.path(".config/systemd/user")).map(\.name).sorted()) ?? []
  }

  @Test func systemdGetsATimerThatIsShownFirst() throws {
    let dry = try run("install", "--with", "systemd", "--every", "30m", "--dry-run")
    #expect(dry.code == 0, "\(dry.errors)")
    #expect(dry.output.contains("  OnUnitActiveSec=1800s\n"))
    #expect(units.isEmpty && !folder.exists("told"))
    let done = try run("install", "--with", "systemd", "--every", "30m")
    #expect(done.code == 0, "\(done.errors)")
    #expect(units.count == 2 && units.allSatisfy { $0.hasPrefix("stories-my-lib-") })
    let timer = try #require(units.first { $0.hasSuffix(".timer") })
    #expect(
      try folder.read("told")
        == "--user daemon-reload\n--user enable --now \(timer)\n")
    let service = try #require(units.first { $0.hasSuffix(".service") })
    #expect(
      try folder.read(".config/systemd/user/\(service)").contains(
        "ExecStart=\"\(BuiltProgram.path)\" \"-C\" \"\(folder.path("my lib"))\" \"schedule\" \"run\"\n"
      ))
    #expect(try run("status").output.hasPrefix("Scheduled with systemd\n"))
    #expect(try run("remove").code == 0)
    #expect(units.isEmpty)
    #expect(try run("status").output == "Nothing is scheduled for this library.\n")
  }

  @Test func `a machine without cron is told what to do`() throws {
    var program = program
    program.environment["PATH"] = folder.path("none")
    let line = ["-C", "my lib", "schedule", "install", "--with", "cron"]
    let dry = try program.run(line + ["--dry-run"])
    #expect(dry.code == 0 && dry.output.contains("Adds to your crontab\n"), "\(dry.errors)")
    let run = try program.run(line)
    #expect(run.code == 1)
    #expect(
      run.errors == """
        Error: cron is not installed: there is no program crontab
        Hint: install cron, or let a sync run on: stories -C 'my lib' sync --every 15m

        """)
    #expect(try program.run("-C", "my lib", "schedule", "status").code == 0)
  }

  @Test func `a crontab that cannot be read is left alone`() throws {
    try folder.write("0 1 * * * backup\n", to: "table")
    try script(
      "crontab",
      """
      [ "$1" = -l ] || exec cat > "$HOME/table"
      echo 'permission denied' >&2; exit 1
      """)
    for words in [["install", "--with", "cron"], ["status"], ["remove"]] {
      let run = try program.run(["-C", "my lib", "schedule"] + words)
      #expect(run.code == 1 && run.errors.contains("left alone"), "\(words): \(run.errors)")
      #expect(run.output.isEmpty)
    }
    #expect(try folder.read("table") == "0 1 * * * backup\n")
    // What another scheduler has is found and removed nevertheless.
    #expect(try run("install", "--with", "systemd").code == 0)
    let status = try run("status")
    #expect(status.code == 1 && status.output.contains("Scheduled with systemd\n"))
    #expect(status.errors.contains("left alone"))
    #expect(try run("remove").code == 1 && units.isEmpty)
    // Who may not use cron has no crontab.
    try script(
      "crontab", "echo 'You (ann) are not allowed to use this program (crontab)' >&2; exit 1")
    #expect(try run("status").output == "Nothing is scheduled for this library.\n")
  }

  @Test func `other lines of a crontab stay byte for byte`() throws {
    let table = Array("# caf".utf8) + [0xE9] + Array("\n\n0 1 * * * backup\n\n".utf8)
    try folder.write(table, to: "table")
    #expect(try run("install", "--with", "cron").code == 0)
    #expect(try run("remove").code == 0)
    #expect(try FileSystem.read(folder.path("table")) == table)
  }

  @Test(arguments: ["systemd", "cron"])
  func `a folder with a line break is not scheduled`(_ scheduler: String) throws {
    #expect(try program.run("init", "a\n* * * * * touch evil").code == 0)
    let run = try program.run(
      ["-C", "a\n* * * * * touch evil", "schedule", "install", "--with", scheduler])
    #expect(run.code == 1 && run.errors.contains("line break"), "\(run.errors)")
    #expect(!folder.exists("table") && units.isEmpty)
  }

  @Test func `what systemctl refuses does not stay half done`() throws {
    try script("systemctl", "exit 1")
    #expect(try run("install", "--with", "systemd").code == 1)
    #expect(units.isEmpty)
  }

  @Test func `a failing systemctl keeps nothing from being removed`() throws {
    #expect(try run("install", "--with", "systemd").code == 0)
    try script("systemctl", "echo \"$*\" >> \"$HOME/asked\"; exit 1")
    #expect(try run("remove").code == 1)
    #expect(units.isEmpty)
    #expect(try folder.read("asked").split(separator: "\n").count == 2)
  }

  @Test func `a failing systemctl leaves a schedule that was there`() throws {
    #expect(try run("install", "--with", "systemd").code == 0)
    try script("systemctl", "exit 1")
    #expect(try run("install", "--with", "systemd").code == 1)
    #expect(units.count == 2)
  }

  @Test func `a configuration folder is told to what starts the syncs`() throws {
    var other = program
    other.environment["STORIES_CONFIG_DIR"] = folder.path("my 50% $settings")
    for scheduler in ["systemd", "cron", "launchd"] {
      let run = try other.run(["-C", "my lib", "schedule", "install", "--with", scheduler])
      #expect(run.code == 0, "\(scheduler): \(run.errors)")
    }
    let service = try #require(units.first { $0.hasSuffix(".service") })
    #expect(
      try folder.read(".config/systemd/user/\(service)").contains(
        "Environment=\"STORIES_CONFIG_DIR=\(folder.path("my 50%% $settings"))\"\nExecStart="))
    #expect(
      try folder.read("table").contains(
        " STORIES_CONFIG_DIR='\(folder.path("my 50\\% $settings"))' "))
    let agents = try FileSystem.list(folder.path("Library/LaunchAgents")).map(\.name)
    let agent = try #require(agents.first)
    #expect(
      try folder.read("Library/LaunchAgents/\(agent)").contains(
        "<string>\(folder.path("my 50% $settings"))</string>\n  </dict>\n  <key>StartInterval"))
  }

  @Test func aRunLeavesTheLibraryToAnotherSync() throws {
    let lock = try LibraryLock(Library(root: folder.path("my lib")))
    defer { withExtendedLifetime(lock) {} }
    let result = try run("run", "--json")
    #expect(result.code == 0, "\(result.errors)")
    let report = try JSONValue(parsing: result.bytes)
    #expect(report["schema"] == "stories.schedule-run/1")
    #expect(report["exitCode"]?.integer == 0)
    #expect(try folder.read("my lib/.stories/schedule.log").contains("another sync is running"))
  }

  @Test func cronGetsOneLineAndKeepsTheOthers() throws {
    try folder.write("0 1 * * * backup\n", to: "table")
    #expect(try run("install", "--with", "cron").code == 0)
    #expect(try run("install", "--with", "cron", "--every", "1h").code == 0)
    let lines = try folder.read("table").split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == "0 1 * * * backup")
    #expect(lines[1].hasPrefix("7 * * * * '") || lines[1].hasPrefix("7 * * * * /"))
    #expect(lines[1].contains("'\(folder.path("my lib"))' schedule run >/dev/null 2>&1 # stories-"))
    // The shell that cron starts understands the line.
    let command = lines[1].dropFirst("7 * * * * ".count)
    #expect(try program.shell(String(command)).code == 0)
    #expect(folder.exists("my lib/.stories/schedule.log"))
    #expect(try run("remove").code == 0)
    #expect(try folder.read("table") == "0 1 * * * backup\n")
    let odd = try run("install", "--with", "cron", "--every", "7m")
    #expect(odd.code == 2)
    #expect(odd.errors.contains("divides an hour or a day"))
  }

  @Test func launchdGetsAnAgent() throws {
    #expect(try run("install", "--with", "launchd").code == 0)
    let agents = try FileSystem.list(folder.path("Library/LaunchAgents")).map(\.name)
    #expect(agents.count == 1)
    let list = try folder.read("Library/LaunchAgents/\(agents[0])")
    #expect(list.contains("<integer>900</integer>"))
    #expect(list.contains("<string>\(folder.path("my lib"))</string>"))
    #expect(try run("remove").code == 0)
    #expect(try FileSystem.list(folder.path("Library/LaunchAgents")).isEmpty)
  }

  @Test func theLogTellsOfEachSyncAndRotates() throws {
    #expect(try run("run").output.isEmpty)
    try folder.write(SampleLibrary.luna, to: "my lib/heroes/luna.json")
    #expect(try run("run").code == 0)
    let log = try folder.read("my lib/.stories/schedule.log")
    #expect(log.split(separator: "\n").filter { $0.hasPrefix("== ") }.count == 2)
    #expect(log.contains("  created  heroes/luna\n"))
    #expect(log.hasSuffix("-- exit 0\n"))
    let status = try JSONValue(parsing: run("status", "--json").bytes)
    #expect(status["schema"] == "stories.schedule/1")
    #expect(status["exitCode"]?.integer == 0)
    try folder.write(
      log + String(repeating: "x", count: ScheduleLog.limit), to: "my lib/.stories/schedule.log")
    #expect(try run("run").code == 0)
    #expect(try folder.read("my lib/.stories/schedule.log.1").hasPrefix(log))
    #expect(try folder.read("my lib/.stories/schedule.log").hasPrefix("== "))
  }

  /// As on a disk that is full or read-only: cron and systemd keep what a program writes to its errors.
  @Test func `without a log the output goes to the system's own`() throws {
    try folder.makeFolder("my lib/.stories/schedule.log")
    let run = try run("run")
    #expect(run.code == 0 && run.output.isEmpty)
    #expect(run.errors.contains("is in sync with the embedded server"), "\(run.errors)")
  }

  @Test func aLogThatIsALinkIsNotFollowed() throws {
    try folder.link("my lib/.stories/schedule.log", to: folder.path("elsewhere"))
    let hint = "replace it with what it points to, or remove it\n"
    for words in [["run"], ["status"]] {
      let run = try program.run(["-C", "my lib", "schedule"] + words)
      #expect(run.code == 4)
      #expect(
        run.errors == """
          Error: my lib/.stories/schedule.log cannot be used: it is a symbolic link
          Hint: \(hint)
          """)
    }
    #expect(try program.run("-C", "my lib", "doctor").output.contains(hint))
    #expect(!folder.exists("elsewhere"))
  }

  @Test func aFailingProgramIsSaid() throws {
    try script("systemctl", "exit 3")
    let result = try run("install", "--with", "systemd")
    #expect(result.code == 1)
    #expect(result.errors.contains("“systemctl --user daemon-reload” failed"), "\(result.errors)")
  }

  @Test(arguments: ["30s", "never"]) func anIntervalIsAMinuteAtLeast(every: String) throws {
    #expect(try run("install", "--every", every).code == 2)
  }
}
