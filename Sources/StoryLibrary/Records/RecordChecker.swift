import JSONText

extension RecordFile {
  /// What is wrong with the record, with places in the file: types, required members, ranges,
  /// lengths, references, and members that the kind does not know.
  ///
  /// Errors keep the record from being pushed; warnings do not.
  public func problems(references: ReferenceTable, sidecar: Sidecar? = nil) -> [Problem] {
    var checker = RecordChecker(file: self, references: references, sidecar: sidecar)
    return checker.check()
  }
}

/// Goes through one record and collects what is wrong with it.
struct RecordChecker {
  let file: RecordFile
  let references: ReferenceTable
  let sidecar: Sidecar?
  var problems: [Problem] = []

  private var schema: Schema { file.ref.kind.schema }

  init(file: RecordFile, references: ReferenceTable, sidecar: Sidecar?) {
    self.file = file
    self.references = references
    self.sidecar = sidecar
  }

  mutating func check() -> [Problem] {
    guard !schema.isReadOnly else { return [] }
    for member in file.document.root.members {
      if let index = schema.fieldIndex(key: member.name) {
        check(member, of: schema.fields[index])
      } else {
        reportUnknown(member)
      }
    }
    for field in schema.fields {
      let present = field.keys.compactMap { key in file.document.root.member(key) }
        .filter { $0.value.kind != .null }
      if present.count > 1 {
        report(
          .ambiguous, present[1].key,
          "“\(present[1].name)” says the same as “\(present[0].name)”", hint: "keep one of the two")
      } else if present.isEmpty, field.isRequired {
        reportMissing(field)
      }
    }
    return problems.sorted { ($0.position ?? .start) < ($1.position ?? .start) }
  }

  private mutating func report(
    _ code: Problem.Code, _ node: JSONNode?, _ message: String, hint: String? = nil,
    severity: Problem.Severity = .error
  ) {
    problems.append(
      Problem(
        code, severity: severity, file: file.ref.path, position: node?.position ?? .start,
        message: message, hint: hint))
  }

  private mutating func reportMissing(_ field: Field) {
    let hint: String =
      switch field.shape {
      case .lines:
        "write it as an array of lines, or let the backend write one: stories generate story"
      case .reference(let kind): "name one of the \(kind.folder)/ here, without .json"
      default: "add \"\(field.key)\": … to the file"
      }
    report(.missing, file.document.root, "“\(field.key)” is missing", hint: hint)
  }

  private mutating func reportUnknown(_ member: JSONNode.Member) {
    // A name that is near no known one is somebody's own note and nobody's business.
    guard let nearest = Nearest.match(member.name, among: schema.keyOrder) else { return }
    report(
      .unknownKey, member.key,
      "“\(member.name)” is no field of a \(schema.noun), so it is not synced",
      hint: "did you mean “\(nearest)”?", severity: .warning)
  }

  private mutating func check(_ member: JSONNode.Member, of field: Field) {
    let node = member.value
    if node.kind == .null { return }
    func wrongType(_ expected: String) -> (Problem.Code, String) {
      (.type, "“\(member.name)” must be \(expected), but this is \(node.value.kindInWords)")
    }
    switch field.shape {
    case .text(let length): checkText(member.name, node, length, expected: "a string")
    case .choice(let choices): checkChoice(member.name, node, choices)
    case .boolean:
      guard node.kind == .true || node.kind == .false else {
        let (code, message) = wrongType("true or false")
        return report(code, node, message)
      }
    case .integer(let range):
      guard let value = node.number?.integer else {
        let (code, message) = wrongType("a whole number")
        let number = node.number != nil
        return report(
          code, node, number ? "“\(member.name)” must be a whole number" : message)
      }
      if !range.contains(value) {
        report(
          .range, node,
          "“\(member.name)” must lie between \(range.lowerBound) and \(range.upperBound)")
      }
    case .list(let count, let length): checkList(member.name, node, count, length)
    case .phrases(let count, let length):
      if node.kind == .array {
        checkList(member.name, node, count, length)
      } else {
        checkText(member.name, node, length, expected: "a string or an array of strings")
      }
    case .lines: checkLines(member.name, node, isRequired: field.isRequired)
    case .reference(let kind): checkReference(member, node, field, kind)
    }
  }

  private mutating func checkText(
    _ name: String, _ node: JSONNode, _ length: ClosedRange<Int>, expected: String
  ) {
    guard let text = node.string else {
      return report(
        .type, node, "“\(name)” must be \(expected), but this is \(node.value.kindInWords)")
    }
    let count = text.utf16.count
    if count < length.lowerBound {
      report(.length, node, "“\(name)” must not be empty")
    } else if count > length.upperBound {
      report(
        .length, node,
        "“\(name)” has \(count) characters, but at most \(length.upperBound) are allowed")
    }
  }

  private mutating func checkChoice(_ name: String, _ node: JSONNode, _ choices: [String]) {
    guard let text = node.string else {
      return report(
        .type, node, "“\(name)” must be a string, but this is \(node.value.kindInWords)")
    }
    guard !choices.contains(text) else { return }
    let list = choices.joined(separator: ", ")
    let nearest = Nearest.match(text, among: choices)
    report(
      .choice, node, "“\(name)” must be one of \(list)",
      hint: nearest.map { "did you mean “\($0)”?" })
  }

  private mutating func checkList(
    _ name: String, _ node: JSONNode, _ count: ClosedRange<Int>, _ length: ClosedRange<Int>
  ) {
    guard node.kind == .array else {
      return report(
        .type, node,
        "“\(name)” must be an array of strings, but this is \(node.value.kindInWords)")
    }
    let elements = Array(node.elements)
    if !count.contains(elements.count) {
      report(
        .range, node,
        "“\(name)” has \(elements.count) elements, but \(count.lowerBound) to \(count.upperBound)"
          + " are allowed")
    }
    for (place, element) in elements.enumerated() {
      checkText("\(name)[\(place)]", element, length, expected: "a string")
    }
  }

  private mutating func checkLines(_ name: String, _ node: JSONNode, isRequired: Bool) {
    var isEmpty = true
    if let text = node.string {
      isEmpty = text.isEmpty
    } else if node.kind == .array {
      for (place, element) in node.elements.enumerated() {
        guard let line = element.string else {
          report(
            .type, element,
            "line \(place + 1) of “\(name)” must be a string, but this is"
              + " \(element.value.kindInWords)")
          return
        }
        if !line.isEmpty { isEmpty = false }
      }
    } else {
      return report(
        .type, node,
        "“\(name)” must be an array of lines or a string, but this is \(node.value.kindInWords)")
    }
    if isEmpty, isRequired {
      report(
        .length, node, "“\(name)” must not be empty",
        hint: "write it, or let the backend write one: stories generate story")
    }
  }

  private mutating func checkReference(
    _ member: JSONNode.Member, _ node: JSONNode, _ field: Field, _ kind: EntityKind
  ) {
    guard let name = node.string, !name.isEmpty else {
      return report(
        .type, node,
        "“\(member.name)” must be a string, but this is "
          + (node.string == "" ? "empty" : node.value.kindInWords))
    }
    guard member.name == field.key else { return }
    let target = RecordRef(kind: kind, name: name)
    guard references.meaning(of: target) == .unknown,
      sidecar?.refs[field.key]?.string != name
    else { return }
    let nearest = Nearest.match(name, among: references.names(of: kind))
    let hint: String
    if let nearest {
      hint = "did you mean “\(nearest)”?"
    } else if sidecar == nil, references.name(of: kind, id: name) != nil {
      hint = "this is an id: use the name of the file, or the key “\(field.wireKey)”"
    } else {
      hint = "make it with `stories new \(kind.schema.noun)`, or name one that is there"
    }
    report(
      .reference, node, "there is no \(kind.schema.noun) “\(name)” in this library", hint: hint)
  }
}

extension TextPosition {
  static let start = TextPosition(line: 1, column: 1)
}
