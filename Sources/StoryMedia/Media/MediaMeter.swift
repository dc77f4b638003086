import Synchronization

final class MediaMeter: Sendable {
  private struct State {
    var progress = MediaProgress()
    var files: [String: (size: Int, total: Int?)] = [:]
    /// The times of the last few seconds with the bytes received until then.
    var samples: [(at: Duration, bytes: Int)] = []
  }

  private static let window = Duration.seconds(5)
  /// The minimum time between two samples; pieces of files come thousands of times a second.
  private static let interval = Duration.milliseconds(50)

  private let state = Mutex(State())
  private let uptime: @Sendable () -> Duration
  private let tell: @Sendable (MediaProgress) -> Void

  init(
    total: Int, uptime: @escaping @Sendable () -> Duration,
    tell: @escaping @Sendable (MediaProgress) -> Void
  ) {
    self.uptime = uptime
    self.tell = tell
    state.withLock { state in
      state.progress.filesTotal = total
      state.samples = [(uptime(), 0)]
    }
  }

  func begin(_ key: String, size: Int) {
    update { $0.files[key] = (size, nil) }
  }

  func note(_ key: String, size: Int, total: Int?) {
    update { state in
      let before = state.files[key]?.size ?? 0
      state.files[key] = (size, total)
      state.progress.bytes += max(0, size - before)
    }
  }

  func end(_ key: String) {
    update { state in
      state.files[key] = nil
      state.progress.filesDone += 1
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let now = uptime()
    let progress = state.withLock { state in
      change(&state)
      if now - state.samples[state.samples.count - 1].at >= Self.interval {
        state.samples.append((now, state.progress.bytes))
      }
      while state.samples.count > 2, now - state.samples[1].at > Self.window {
        state.samples.removeFirst()
      }
      let first = state.samples[0]
      let time = (now - first.at) / .seconds(1)
      state.progress.speed =
        time > 0.2 ? Double(state.progress.bytes - first.bytes) / time : nil
      state.progress.bytesLeft = state.files.values.reduce(0) { sum, file in
        sum + max(0, (file.total ?? file.size) - file.size)
      }
      return state.progress
    }
    tell(progress)
  }
}

/// The progress of fetching files.
public struct MediaProgress: Sendable, Hashable {
  /// The number of files that were fetched or have failed.
  public var filesDone = 0
  /// The number of files to fetch.
  public var filesTotal = 0
  /// The number of bytes received in this run.
  public var bytes = 0
  /// The number of bytes remaining in the files whose length is known.
  public var bytesLeft = 0
  /// The speed in bytes per second, or `nil` initially.
  public var speed: Double?

  /// The time remaining at the current speed, or `nil` if it is unknown.
  public var timeLeft: Duration? {
    guard let speed, speed > 0, bytesLeft > 0 else { return nil }
    return .seconds(Double(bytesLeft) / speed)
  }
}
