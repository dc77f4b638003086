/// Every area, in the order of the table.
enum Areas {
  static let all: [any Area.Type] = [
    StartupArea.self, StatusArea.self, ParseArea.self, MergeArea.self, PushArea.self,
    PullArea.self, IdleArea.self, WaitArea.self, MemoryArea.self, GrowthArea.self, GitArea.self,
    MediaArea.self,
  ]
}
