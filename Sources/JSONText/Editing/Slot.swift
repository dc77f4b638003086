/// A child of a container that is being rewritten.
enum Slot {
  /// An unchanged child, by its index in the old container.
  case kept(Int)
  /// A child with another value, by its index in the old container.
  case changed(Int, from: JSONValue, to: JSONValue)
  /// A new child, with its name in an object.
  ///
  /// `isLeading` means that it belongs to the following child rather than the preceding one.
  case added(name: String?, value: JSONValue, isLeading: Bool)

  /// Whether this is an unchanged child.
  var isKept: Bool {
    if case .kept = self { true } else { false }
  }

  /// The index in the old container.
  var place: Int? {
    switch self {
    case .kept(let place), .changed(let place, _, _): place
    case .added: nil
    }
  }
}
