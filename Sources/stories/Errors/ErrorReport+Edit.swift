import StorySync

extension ErrorReport {
  /// A change of records that was not made.
  init(_ error: EditError) {
    let (code, exitCode): (String, ExitCode) =
      switch error {
      case .noSuchRecord: ("no-record", .wrongUsage)
      case .exists: ("name-taken", .wrongUsage)
      case .otherKind: ("other-kind", .wrongUsage)
      case .readOnly: ("read-only", .wrongUsage)
      case .stillNamed: ("still-named", .stopped)
      case .noConflict: ("no-conflict", .wrongUsage)
      case .cannotMerge: ("cannot-merge", .conflictsLeft)
      case .twoIDs: ("two-ids", .conflictsLeft)
      case .changedMeanwhile: ("changed-meanwhile", .failed)
      case .noSuchRun: ("no-run", .wrongUsage)
      case .noVersion: ("no-version", .wrongUsage)
      }
    self.init(code, error.message, hint: error.hint, exitCode: exitCode)
  }
}
