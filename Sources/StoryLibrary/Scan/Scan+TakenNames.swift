extension Scan {
  /// The names that a new record of a kind may not get, as ``Slug/collisionKey(_:)``.
  ///
  /// Those are the names of records, those under which the sidecars of renamed ones still lie, and those
  /// of stale sidecars: a name is free only once no sidecar has it any more.
  /// - Parameter count: how many more the caller is about to add.
  package func takenNames(of kind: EntityKind, adding count: Int = 0) -> Set<String> {
    var names = Set<String>(minimumCapacity: entries.count + count)
    for entry in entries where entry.ref.kind == kind {
      names.insert(Slug.collisionKey(entry.ref.name))
      if let old = entry.renamedFrom { names.insert(Slug.collisionKey(old.name)) }
    }
    for ref in staleSidecars where ref.kind == kind { names.insert(Slug.collisionKey(ref.name)) }
    return names
  }

  /// Whether a name is that of a stale sidecar, so that it is free after the next sync.
  public func isStale(_ ref: RecordRef) -> Bool {
    staleSidecars.contains { stale in
      stale.kind == ref.kind && Slug.collisionKey(stale.name) == Slug.collisionKey(ref.name)
    }
  }
}
