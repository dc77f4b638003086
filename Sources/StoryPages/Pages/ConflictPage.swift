public import StoryLibrary

/// One conflict: both versions side by side, and a form to decide.
public struct ConflictPage: Sendable {
  /// A decision about a field, or about all of them.
  public enum Choice: String, Sendable, CaseIterable {
    /// Keep the local version.
    case local
    /// Keep the server's version.
    case server
    /// The changes of both sides.
    case both
    /// What is written in the form.
    case edit
    /// Leave it in conflict.
    case later
  }

  /// A part of both versions.
  public enum Row: Sendable {
    /// A line that neither side changed.
    case context(String)
    /// A remark about lines that are left out.
    case aside(String)
    /// The lines of both sides; `clashes` if both changed them in different ways.
    case sides(local: [MarkedWords], server: [MarkedWords], clashes: Bool)
  }

  /// A field in conflict.
  public struct Field: Sendable {
    /// The field's key.
    public var key: String
    /// The language of the text, or `nil`.
    public var language: String?
    /// Both versions, from top to bottom.
    public var rows: [Row]
    /// The last synced version.
    public var base: String
    /// Whether the changes of both sides can be joined.
    public var hasBoth: Bool
    /// The text that is offered to edit.
    public var offered: String
    /// The text in the form: the one that is offered, or what somebody typed before.
    public var text: String
    /// How to write the text, or `nil` if it is plain.
    public var form: String?
    /// The decision that the form starts with.
    public var choice: Choice
    /// What is wrong with the text, or `nil`.
    public var problem: Notice?

    /// Creates a field.
    public init(
      _ key: String, language: String? = nil, rows: [Row], base: String, hasBoth: Bool,
      offered: String, text: String? = nil, form: String? = nil, choice: Choice = .later,
      problem: Notice? = nil
    ) {
      self.key = key
      self.language = language
      self.rows = rows
      self.base = base
      self.hasBoth = hasBoth
      self.offered = offered
      self.text = text ?? offered
      self.form = form
      self.choice = choice
      self.problem = problem
    }

    /// Whether somebody typed another text than the one that is offered.
    var isTyped: Bool { ConflictPage.digest(ofText: text) != ConflictPage.digest(ofText: offered) }
  }

  /// What is to be decided.
  public enum Question: Sendable {
    /// The value of each of these fields.
    case fields([Field])
    /// Which side to keep; what each answer does, and what is known of the versions.
    case whole(local: String, server: String, changes: [FieldChange])
    /// Nothing yet, because the record's file cannot be read.
    case unreadable
  }

  /// The record.
  public var ref: RecordRef
  /// Its id on the server, by which a decision finds it under another name, or `nil`.
  public var id: String?
  /// The name or title, or `nil`.
  public var title: String?
  /// What is to be decided, in a few words.
  public var summary: String
  /// What is to be decided.
  public var question: Question
  /// The state of the files that the page is made of, which a decision sends back.
  public var state: String
  /// Whether some field would be resolved by merging.
  public var canMerge: Bool
  /// What to know first.
  public var notices: [Notice]

  /// Creates the page.
  public init(
    _ ref: RecordRef, id: String?, title: String?, summary: String, question: Question,
    state: String, canMerge: Bool = false, notices: [Notice] = []
  ) {
    self.ref = ref
    self.id = id
    self.title = title
    self.summary = summary
    self.question = question
    self.state = state
    self.canMerge = canMerge
    self.notices = notices
  }

  // MARK: Names of the form

  /// The name of the form's field with ``state``.
  public static let stateField = "state"
  /// The name of the form's field with ``id``.
  public static let idField = "id"
  /// The name of the buttons for the record as a whole; their values are `local`, `server`, `merge`.
  public static let wholeField = "whole"

  /// Returns the name of the form's field with the ``Choice`` for a field of the record.
  public static func choiceField(_ key: String) -> String { "choice.\(key)" }

  /// Returns the name of the form's field with the text for a field of the record.
  public static func textField(_ key: String) -> String { "text.\(key)" }

  /// Returns the name of the form's field with the digest of the text that is offered for a field of
  /// the record. It shows what somebody typed, whatever the record has become meanwhile.
  public static func offeredField(_ key: String) -> String { "offered.\(key)" }

  /// Returns a digest of a text that is the same before and after the text was in a form.
  public static func digest(ofText text: String) -> String {
    ContentDigest(MarkupWriter.readable(text).utf8).description
  }

  // MARK: Markup

  /// Returns the page.
  public func markup(_ frame: PageFrame) -> Markup {
    let links = frame.links
    let name = title.map(StoryRows.clipped) ?? ref.name
    return frame.page("Conflict: \(name)", .conflict(ref), look: "work") {
      record("h1", [:], name)
      tag("p", ["class": "about"]) {
        record("span", [:], ref.description)
        tag("span") { summary }
        tag("a", ["href": links(.conflicts)]) { "All conflicts" }
      }
      for notice in notices { notice.markup }
      switch question {
      case .fields(let fields): form(fields, links)
      case .whole(let local, let server, let changes):
        if !changes.isEmpty {
          tag("dl", ["class": "card"]) { for change in changes { change.markup } }
        }
        tag("dl", ["class": "answers"]) {
          tag("dt") { "Keep local" }
          tag("dd") { Notice.sentence(local) }
          tag("dt") { "Keep server" }
          tag("dd") { Notice.sentence(server) }
        }
        links.form(.conflict(ref)) {
          hiddenInputs
          buttons
        }
      case .unreadable:
        tag("p") { "Correct the file, then load this page again to resolve the conflict." }
      }
    }
  }

  private var hiddenInputs: Markup {
    .group(
      [(Self.stateField, state), (Self.idField, id ?? "")].map { name, value in
        tag("input", ["type": "hidden", "name": name, "value": value])
      })
  }

  /// The form that decides each field in its own way, or all of them with one click. It is one form,
  /// so that a click on any button sends what was typed.
  private func form(_ fields: [Field], _ links: Links) -> Markup {
    if links.formToken == nil { return .group(fields.map(Self.shown)) }
    return links.form(.conflict(ref)) {
      hiddenInputs
      for (place, field) in fields.enumerated() {
        tag("fieldset", ["class": "field"]) {
          tag("legend") { field.key }
          Self.shown(field)
          Self.choices(field)
          Self.editor(field, "text\(place)")
        }
      }
      tag("p", ["class": "do"]) {
        tag("button") { "Resolve" }
        if fields.contains(where: \.isTyped) {
          tag("a", ["class": "plain", "href": links(.conflict(ref))]) { "Start over" }
        }
      }
      tag("h2") { fields.count == 1 ? "Or with one click" : "Or all fields with one click" }
      buttons
    }
  }

  /// The buttons that decide the record as a whole.
  private var buttons: Markup {
    func button(_ value: String, _ name: String) -> Markup {
      tag("button", ["class": "plain", "name": Self.wholeField, "value": value]) { name }
    }
    return tag("p", ["class": "do"]) {
      button("local", "Keep local")
      button("server", "Keep server")
      if canMerge { button("merge", "Merge") }
    }
  }

  /// Returns both versions of a field, and the base.
  @MarkupBuilder
  private static func shown(_ field: Field) -> Markup {
    tag("div", ["class": "sides", "lang": field.language]) {
      tag("div", ["class": "heads", "lang": "en", "aria-hidden": "true"]) {
        tag("div") { "Local" }
        tag("div") { "Server" }
      }
      for row in field.rows { markup(row) }
    }
    tag("details") {
      tag("summary") { "Base: the last synced version" }
      record("div", ["class": "base"], field.base, language: field.language)
    }
  }

  private static func markup(_ row: Row) -> Markup {
    switch row {
    case .context(let text): return tag("p", ["class": "soft", "dir": "auto"]) { text }
    case .aside(let text): return tag("p", ["class": "soft", "lang": "en"]) { text }
    case .sides(let local, let server, let clashes):
      func side(_ name: String, _ lines: [MarkedWords]) -> Markup {
        tag("div", ["class": "side"]) {
          tag("p", ["class": "name", "lang": "en"]) { name }
          for line in lines { tag("p", ["dir": "auto"]) { line.markup } }
        }
      }
      return tag("div", ["class": clashes ? "pair clash" : "pair"]) {
        side("Local", local)
        side("Server", server)
      }
    }
  }

  /// Returns the question how to decide a field.
  private static func choices(_ field: Field) -> Markup {
    let names: [(Choice, String)] = [
      (.local, "Keep local"), (.server, "Keep server"), (.both, "Both"), (.edit, "Edit"),
      (.later, "Decide later"),
    ]
    let group: Attributes = [
      "class": "choices", "role": "radiogroup", "aria-label": "Decision on \(field.key)",
    ]
    return tag("div", group) {
      for (choice, name) in names where choice != .both || field.hasBoth {
        let input: Attributes = [
          "type": "radio", "name": choiceField(field.key), "value": choice.rawValue,
          "checked": field.choice == choice ? "checked" : nil,
        ]
        tag("label") {
          tag("input", input)
          name
        }
      }
    }
  }

  private static func editor(_ field: Field, _ id: String) -> Markup {
    let lines = field.text.utf8.count { $0 == UInt8(ascii: "\n") } + field.text.utf8.count / 60 + 1
    let offered: Attributes = [
      "type": "hidden", "name": offeredField(field.key), "value": digest(ofText: field.offered),
    ]
    let area: Attributes = [
      "id": id, "name": textField(field.key), "rows": "\(min(max(lines, 2), 24))",
      "lang": field.language, "dir": "auto", "spellcheck": "true",
    ]
    return tag("div", ["class": field.isTyped ? "edit typed" : "edit"]) {
      if let problem = field.problem { problem.markup }
      tag("input", offered)
      tag("label", ["for": id]) {
        "Your text for \(field.key)" + (field.form.map { " (\($0))" } ?? "")
      }
      tag("textarea", area) { field.text }
    }
  }
}
