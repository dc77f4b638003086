/// Lets tests observe a server's requests and make some of them fail. Only tests set one.
package protocol ServerHook: Sendable {
  /// Handles a request with `handle`, or in its own way.
  ///
  /// - Returns: The answer, or `nil` to close the connection without one.
  func answer(_ request: ServerRequest, handling handle: () -> ServerResponse) -> ServerResponse?

  /// Returns the reason why an illustration of a story should fail without being drawn, or `nil`.
  func failure(ofPicture order: Int, story: String) -> String?

  /// Called when the server begins to stop. A hook must not block any longer.
  func serverStops()
}
