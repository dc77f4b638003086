public import StoryAPI
public import StoryLibrary

extension Library {
  /// When the last complete pull of this library ended, by this machine's clock. Complete means
  /// that all of the server's changes were taken. `nil` before the first, after `.stories/` was
  /// deleted, and after the library was moved to another server.
  public var pulledAt: ServerDate? {
    guard let state = PullState(self) else { return nil }
    if let synced = configuration.synced, synced != state.identity { return nil }
    return state.pulledAt
  }
}
