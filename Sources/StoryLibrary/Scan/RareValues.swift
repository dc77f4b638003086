/// What few of very many values have, with what the others have in its place.
///
/// It is kept in an array that is empty where nothing is unusual, and has one element otherwise: so it
/// takes one word of those that have none of it.
package protocol RareValues: Hashable {
  /// The usual.
  init()
}

extension Array where Element: RareValues {
  /// Sets one of the values; the array is empty again once all are usual.
  package mutating func set<Value: Equatable>(
    _ path: WritableKeyPath<Element, Value>, _ value: Value
  ) {
    if isEmpty {
      if Element()[keyPath: path] == value { return }
      self = [Element()]
    }
    self[0][keyPath: path] = value
    if self[0] == Element() { self = [] }
  }
}
