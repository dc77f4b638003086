/// What a server can do beyond plain reads and writes; `health` lists it.
///
/// Each can be switched off by itself, to try a client against servers that give less.
public enum ServerFeature: String, Sendable, CaseIterable {
  /// `ETag`, `If-Match`, `If-None-Match`, and `ifMatch` in batches.
  case etag
  /// `Idempotency-Key` on writes, remembered for 7 days.
  case idempotency
  /// `POST /api/batch`.
  case batch
  /// `includeDeleted=true` in lists.
  case tombstones
  /// `cursor` and `next` in lists.
  case cursor
}
