import Foundation
package import JSONText

/// A page in a browser: what a person would see of it, and do with it.
package final class BrowserPage {
  private let browser: Chromium
  private let session: String
  private let isDark: Bool
  private var hasAxe = false
  /// The addresses of all requests.
  package private(set) var requests: [String] = []
  /// The errors and warnings of the console, and exceptions.
  package private(set) var complaints: [String] = []

  /// What a page is shown on.
  package struct Screen: CustomStringConvertible {
    /// In pixels.
    package var width: Int
    package var isDark: Bool

    package init(width: Int, isDark: Bool = false) {
      self.width = width
      self.isDark = isDark
    }

    package static let phone = Screen(width: 360)
    package static let desk = Screen(width: 1_280)

    package var description: String { "\(isDark ? "dark" : "light") \(width) pixels" }

    /// The layouts and the colors each once: what fits depends on the width, and contrast on the colors.
    /// One page of a browser shows all that is looked at on a screen, as a new one costs more than what is
    /// shown on it.
    package static let all = [phone, Screen(width: desk.width, isDark: true)]
  }

  /// Opens an empty page.
  ///
  /// - Parameter isApart: whether it knows nothing of the browser's other pages, as in another browser.
  package init(in browser: Chromium, _ screen: Screen, isApart: Bool = false) throws {
    self.browser = browser
    isDark = screen.isDark
    var new: JSONObject = ["url": "about:blank"]
    if isApart {
      new["browserContextId"] = try browser.call("Target.createBrowserContext")["browserContextId"]
    }
    let target = try browser.call("Target.createTarget", new)["targetId"]
    let attached = try browser.call(
      "Target.attachToTarget", ["targetId": target ?? .null, "flatten": true])
    session = attached["sessionId"]?.string ?? ""
    for domain in ["Page", "Runtime", "Network", "Log"] { try call("\(domain).enable") }
    try call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(JSONNumber(screen.width)), "height": 900,
        "deviceScaleFactor": 1, "mobile": .bool(screen.width < 600),
      ])
    let scheme: JSONValue = [
      "name": "prefers-color-scheme", "value": .string(screen.isDark ? "dark" : "light"),
    ]
    try call("Emulation.setEmulatedMedia", ["features": [scheme]])
  }

  @discardableResult
  package func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
    try browser.call(method, parameters, session: session)
  }

  /// Opens an address and waits until it is loaded.
  package func open(_ address: String) throws {
    try call("Page.navigate", ["url": .string(address)])
    try waitForLoad()
  }

  /// Waits until the page that something has led to is loaded.
  package func waitForLoad() throws {
    _ = try browser.wait(for: "Page.loadEventFired", session: session)
    listen()
  }

  /// Collects what the browser reported.
  private func listen() {
    for event in browser.takeEvents(session: session) {
      let parameters = event["params"]
      switch event["method"]?.string {
      case "Network.requestWillBeSent":
        requests.append(parameters?["request"]?["url"]?.string ?? "")
      case "Log.entryAdded":
        complaints.append(parameters?["entry"]?["text"]?.string ?? "")
      case "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
        complaints.append(parameters?.compactText ?? "")
      default: break
      }
    }
  }

  /// Returns the value of an expression in JavaScript, of a promise when it is kept.
  package func value(_ expression: String) throws -> JSONValue {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
    listen()
    if let exception = answer["exceptionDetails"] {
      throw Chromium.Failure(message: exception.compactText)
    }
    return answer["result"]?["value"] ?? .null
  }

  /// Presses a key, such as `Tab` or `Enter`.
  package func press(_ key: String) throws {
    let codes = ["Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowUp": 38, "ArrowDown": 40]
    var event: JSONObject = [
      "type": "keyDown", "key": .string(key), "code": .string(key),
      "windowsVirtualKeyCode": .number(JSONNumber(codes[key] ?? 0)),
    ]
    if key == "Enter" { event["text"] = "\r" }
    try call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    try call("Input.dispatchKeyEvent", event)
  }

  /// Saves what the page shows as a PNG file.
  package func saveScreenshot(to path: String) throws {
    let answer = try call("Page.captureScreenshot", ["format": "png"])
    guard let data = Data(base64Encoded: answer["data"]?.string ?? "") else { return }
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Returns what is shown to be pressed and is smaller than a thumb needs, 44 pixels each way, with its
  /// size.
  package func smallTargets() throws -> [String] {
    let found = try value(
      """
      [...document.querySelectorAll(
        'a, button, summary, textarea, select, audio, input:not([type=hidden])')]
        .filter(element => element.checkVisibility() && !element.matches('.skip'))
        .map(element => element.closest('label') ?? element)
        .map(element => ({element, box: element.getBoundingClientRect()}))
        .filter(({box}) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
        .map(({element, box}) => `${(element.textContent || element.localName).slice(0, 40)}: `
          + `${Math.round(box.width)} x ${Math.round(box.height)}`)
      """)
    return (found.array ?? []).compactMap(\.string)
  }

  /// Returns the faults that axe-core finds, each with the first element that has it. In the dark only
  /// colours are another matter.
  package func faults() throws -> [String] {
    guard let path = Chromium.axe else {
      throw Chromium.Failure(
        message: "STORIES_AXE names no axe.min.js")
    }
    if !hasAxe {
      let script = try String(contentsOfFile: path, encoding: .utf8)
      // It is so long that what is opened later had better have it from its start.
      try call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
      _ = try value(script + "; true")
      hasAxe = true
    }
    let rules = isDark ? ", runOnly: ['color-contrast', 'link-in-text-block']" : ""
    let found = try value(
      """
      axe.run({resultTypes: ["violations"]\(rules)}).then(result => result.violations.map(fault =>
        fault.id + ": " + fault.help + ": " + fault.nodes[0].html.slice(0, 200)))
      """)
    return (found.array ?? []).compactMap(\.string)
  }
}
