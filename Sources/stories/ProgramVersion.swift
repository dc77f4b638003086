import CBuild

enum ProgramVersion {
  /// The version number, which servers see in `User-Agent`.
  static let text = "0.1.0"

  /// The abbreviated hash of the commit it was built from, with `+` for later changes; empty if
  /// unknown.
  static let commit = String(cString: stories_build_commit())

  /// The date of the commit or of the build: `2026-11-20`.
  static let date = isoDate(String(cString: stories_build_date()))

  /// The output of `stories --version`: `stories 0.1.0 (bc709aa, 2026-11-20)`.
  static var line: String {
    let build = [commit, date].filter { !$0.isEmpty }.joined(separator: ", ")
    return "stories \(text)" + (build.isEmpty ? "" : " (\(build))")
  }

  /// Returns a date such as C's `Nov 20 2026` (C17, section 6.10.8.1) in the form of ISO 8601.
  static func isoDate(_ text: String) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 3, let month = months.firstIndex(of: parts[0]) else { return text }
    func padded(_ number: String) -> String { number.count < 2 ? "0" + number : number }
    return "\(parts[2])-\(padded(String(month + 1)))-\(padded(parts[1]))"
  }
}
