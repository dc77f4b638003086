extension Library {
  /// The names of the records that are there, by kind and name. No file is opened, and what cannot be
  /// listed is left out: for offering names, not for finding out how anything stands.
  public func recordNames(_ kinds: [EntityKind]) -> [RecordRef] {
    kinds.flatMap { kind in
      var walk = FolderWalk(root: root, kind: kind)
      guard (try? walk.run()) != nil else { return [RecordRef]() }
      return walk.pairs.filter { $0.record == .regular }.map(\.ref).sorted()
    }
  }
}
