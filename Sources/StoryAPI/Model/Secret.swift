/// A text that must not be shown: a token or a password.
///
/// Printing it, interpolating it or dumping a value that holds it gives `[redacted]`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text itself, for the one place that sends or stores it.
  public let value: String

  /// Keeps `value` from being shown.
  public init(_ value: String) { self.value = value }

  /// `[redacted]`.
  public var description: String { Redaction.mark }
  /// `[redacted]`.
  public var debugDescription: String { Redaction.mark }
  /// Shows no part of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
