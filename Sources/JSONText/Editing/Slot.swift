/// A child of a container that is written anew.
enum Slot {
  /// The child at a place of the old container, byte for byte.
  case kept(Int)
  /// The child at a place of the old container with another value.
  case changed(Int, from: JSONValue, to: JSONValue)
  /// A new child, with its name in an object.
  ///
  /// `isLeading` says that it belongs to the child behind it rather than to the one before.
  case added(name: String?, value: JSONValue, isLeading: Bool)

  /// The place in the old container.
  var place: Int? {
    switch self {
    case .kept(let place), .changed(let place, _, _): place
    case .added: nil
    }
  }
}
