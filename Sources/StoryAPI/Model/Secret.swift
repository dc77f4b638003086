/// A secret text, such as a token or a password.
///
/// Printing it, interpolating it or dumping a value that contains it gives `[redacted]`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text, only for sending or storing it.
  public let value: String

  /// Creates a secret.
  public init(_ value: String) { self.value = value }

  /// The text `[redacted]`.
  public var description: String { Redaction.mark }
  /// The text `[redacted]`.
  public var debugDescription: String { Redaction.mark }
  /// A mirror without the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
