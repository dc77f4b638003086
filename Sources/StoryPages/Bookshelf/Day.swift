import StoryLibrary

/// A day in UTC.
public struct Day: Sendable, Hashable, Comparable {
  /// The year, month and day.
  public let year, month, day: Int
  /// The day for machines, such as `2026-11-20`.
  let machineText: String

  /// Reads the day of a server's time, such as `2026-11-20T10:00:00.000Z`; `nil` for anything else.
  public init?(_ time: String?) {
    guard let time, UTCTime.read(time) != nil else { return nil }
    machineText = String(time.prefix(10))
    let numbers = machineText.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    (year, month, day) = (numbers[0], numbers[1], numbers[2])
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The month, such as `November 2026`.
  var monthText: String { "\(Self.months[month - 1]) \(year)" }

  /// The day, such as `20 November 2026`.
  var text: String { "\(day) \(monthText)" }

  /// Orders days by time.
  public static func < (left: Day, right: Day) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}
