import StoryAPI

/// Requests without this project's transport: what the wire and the server take, by `curl`.
enum RawRequests {
  /// The seconds that `curl --parallel` takes to send requests, its start included.
  ///
  /// - Parameter width: how many are under way at once.
  /// - Throws: `BenchOptions.Problem` where one of them is refused.
  static func send(_ requests: [HTTPRequest], width: Int, _ bench: Bench) throws -> Double {
    let path = bench.newFolder("curl")
    let text = requests.map(configuration).joined(separator: "next\n")
    try RawTree.write(Array(text.utf8), to: path)
    return try bench.run([
      "curl", "--silent", "--show-error", "--parallel", "--parallel-immediate", "--parallel-max",
      "\(width)", "--config", path,
    ]).seconds
  }

  /// A request as a part of a file for `--config`.
  private static func configuration(_ request: HTTPRequest) -> String {
    var lines = [
      "url = \(quoted(request.url))", "request = \(request.method.rawValue)", "fail", "globoff",
      "output = \"/dev/null\"",
    ]
    for field in request.headers.fields {
      lines.append("header = \(quoted("\(field.name): \(field.value)"))")
    }
    if !request.body.isEmpty {
      lines.append("data-raw = \(quoted(String(decoding: request.body, as: UTF8.self)))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
