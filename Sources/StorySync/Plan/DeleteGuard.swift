import StoryLibrary

extension Plan {
  /// Stops a sync that would delete more than is plausible: absence is not intent.
  ///
  /// Counts the deletes not requested with `stories rm`, per kind and direction. The limit is the
  /// larger of five and a fifth of the kind; no kind of three or more may be deleted entirely.
  ///
  /// - Parameter maximum: the number of deletes that the user allowed for this run.
  mutating func guardDeletes(_ scan: Scan, allowed maximum: Int?) {
    for kind in EntityKind.writable {
      for (action, onServer) in [(Action.delete, true), (.deleteLocally, false)] {
        let count = steps.count {
          $0.ref.kind == kind && $0.action == action && !$0.isStated
        }
        guard count > 0 else { continue }
        let known = scan.entries.count { $0.ref.kind == kind && $0.id != nil }
        guard Self.isSuspicious(count, of: known), count > maximum ?? -1 else { continue }
        stops.append(.deletes(kind: kind, onServer: onServer, count: count, of: known))
      }
    }
  }

  private static func isSuspicious(_ count: Int, of known: Int) -> Bool {
    count > max(5, known / 5) || (known >= 3 && count == known)
  }
}
