import Foundation
import JSONText
import TestSupport

extension BrowsedLibrary {
  /// Opens a page in a browser, as somebody who has the printed address.
  func open(
    _ path: String, in browser: Chromium, _ screen: BrowserPage.Screen = .desk
  ) throws -> BrowserPage {
    let page = try BrowserPage(in: browser, screen)
    try page.open(address)
    try page.open(url(path))
    return page
  }

  /// The whole address of a page.
  func url(_ path: String) -> String { origin + root + path }

  /// Returns the requests of a page that went to another host.
  func strayRequests(_ page: BrowserPage) -> [String] {
    page.requests.filter { !$0.hasPrefix(origin + "/") }
  }
}

extension BrowserPage {
  /// What a page does not have.
  struct Missing: Error { var selector: String }

  /// Waits until an expression is true, looking at every frame, and two more: after Chromium has scrolled
  /// to a fragment, it moves the keyboard's place there in the next one.
  func wait(until expression: String) throws {
    _ = try value(
      """
      new Promise(done => {
        const next = requestAnimationFrame;
        const look = () => (\(expression)) ? next(() => next(done)) : next(look); look();
      })
      """)
  }

  /// Returns the text of the first element that a selector finds, as it is shown.
  func text(_ selector: String) throws -> String {
    try value("document.querySelector(\(JSONValue.string(selector).compactText))?.innerText ?? ''")
      .string ?? ""
  }

  /// Clicks in the middle of the first element that a selector finds, with the mouse.
  func click(_ selector: String) throws {
    let place = try value(
      """
      (() => {
        const element = document.querySelector(\(JSONValue.string(selector).compactText));
        element.scrollIntoView({block: "center", behavior: "instant"});
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      })()
      """)
    for type in ["mousePressed", "mouseReleased"] {
      try call(
        "Input.dispatchMouseEvent",
        [
          "type": .string(type), "x": place.array?[0] ?? .null, "y": place.array?[1] ?? .null,
          "button": "left",
          "clickCount": 1,
        ])
    }
  }

  /// Presses Tab until an element that the selector finds has the focus.
  func tab(to selector: String) throws {
    let isThere = "document.activeElement.matches(\(JSONValue.string(selector).compactText))"
    for _ in 0..<60 {
      if try value(isThere) == true { return }
      try press("Tab")
    }
    throw Missing(selector: selector)
  }

  /// Types a text.
  func type(_ text: String) throws { try call("Input.insertText", ["text": .string(text)]) }
}
