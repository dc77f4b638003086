import StoryLibrary
import StoryPages

extension MarkedWords {
  /// Creates text for a page from one for a terminal, whose styles become marks.
  init(_ text: Text) {
    self.init(
      text.spans.map { span in
        switch span.style {
        case .added: Part(span.content, .added)
        case .removed, .struck: Part(span.content, .removed)
        case .faint: Part(span.content, .aside)
        default: Part(span.content, .same)
        }
      })
  }
}

extension Notice {
  init(_ problem: Problem, in library: Library, _ context: Context) {
    self.init(
      problem.severity == .error ? .error : .warning, problem.message,
      about: context.place(of: problem, in: library),
      hints: problem.advice.map { [context.shown(hint: $0, in: library)] } ?? [])
  }

  init(_ error: ErrorReport) {
    let place = error.place.map { $0.shown + ($0.position.map { ":\($0)" } ?? "") }
    self.init(
      .error, ([error.message] + error.causes).joined(separator: ": "), about: place,
      hints: error.hint.map { [$0] } ?? [])
  }
}

extension FieldChange {
  private static let most = 80

  /// Creates the change of a field as `diff` shows it.
  init(_ change: RecordDiff.FieldChange, of diff: RecordDiff) {
    if change.server != nil, diff.entry.conflict != .deletedLocally {
      self.init(change.field.key, [.position("in conflict")])
      return
    }
    switch diff.content(of: change, inColour: true) {
    case .value(let text): self.init(change.field.key, [.changed(MarkedWords(text))])
    case .lines(let lines):
      var shown: [Line] = [.position(RecordDiff.counts(of: lines).plain)]
      for hunk in lines.hunks {
        shown.append(.position("line \(hunk.line)"))
        shown += hunk.lines.map(Self.line)
      }
      let rest = shown.count - Self.most
      if rest > 1 {
        shown.removeLast(rest)
        shown.append(.position("and \(Phrases.count(rest, "more line"))"))
      }
      self.init(change.field.key, shown)
    }
  }

  private static func line(_ line: LineDiff.Line) -> Line {
    switch line {
    case .context(let text): .context(Text(text).truncated(to: 120).plain)
    case .removed(let text): .changed(MarkedWords(Text(text, .removed)))
    case .added(let text): .changed(MarkedWords(Text(text, .added)))
    case .changed(let words): .changed(MarkedWords(words.text(inColour: true)))
    }
  }
}
