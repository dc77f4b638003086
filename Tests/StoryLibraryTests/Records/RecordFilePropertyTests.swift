import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Updates of generated records")
struct RecordFilePropertyTests {
  private static let references = RecordGenerator.references

  /// The bytes of each member, its name included, by name.
  private func members(_ document: JSONDocument) -> [(name: String, bytes: [UInt8])] {
    document.root.members.map { ($0.name, Array(document.bytes[$0.range])) }
  }

  private func bytes(of name: String, in document: JSONDocument) -> [UInt8]? {
    document.root.member(name).map { Array(document.bytes[$0.range]) }
  }

  @Test("only what changes changes", arguments: 0..<8 as Range<UInt64>)
  func updates(_ batch: UInt64) throws {
    for seed in batch * 100..<(batch + 1) * 100 { try update(seed) }
  }

  private func update(_ seed: UInt64) throws {
    var generator = RecordGenerator(seed: seed)
    let kind = generator.random.pick(EntityKind.writable)
    let ref = RecordRef(kind: kind, name: "x")
    let values = generator.values(kind)
    let text = generator.text(values)
    let comment: Comment = "seed \(seed): \(text.text)"
    let file = try RecordFile(ref: ref, bytes: text)
    let sidecar: Sidecar? =
      generator.random.oneIn(2)
      ? Sidecar(id: "1", updatedAt: "u", base: generator.edited(values)) : nil
    let reading = file.reading(references: Self.references, sidecar: sidecar)
    #expect(reading.values == values, comment)
    #expect(reading.malformed.isEmpty && reading.unresolved.isEmpty, comment)

    var current = values
    if let sidecar { current = current.completed(from: sidecar.base) }
    let target = generator.edited(current)
    let updated = try file.updated(to: target, references: Self.references, sidecar: sidecar)
    let after = try RecordFile(ref: ref, bytes: updated.bytes)

    // It means the target. What is absent then stands for the base that the target becomes.
    let meaning = after.reading(references: Self.references, sidecar: sidecar).values
      .completed(from: target)
    #expect(meaning == target, comment)

    // Unknown members and fields that mean the same keep their bytes; the first keep their order.
    let changed = kind.schema.fields.filter { current.effective($0) != target.effective($0) }
    let touched = Set(changed.flatMap(\.keys))
    let kept = members(file.document).filter { !touched.contains($0.name) }
    for (name, old) in kept { #expect(bytes(of: name, in: updated) == old, comment) }
    let names = Set(kept.map(\.name))
    #expect(
      members(updated).map(\.name).filter(names.contains) == kept.map(\.name), comment)
    if changed.isEmpty { #expect(updated.bytes == text, comment) }
    #expect(updated.hasByteOrderMark == file.document.hasByteOrderMark, comment)
    #expect(updated.bytes.last == text.last, comment)

    // Doing it again changes nothing.
    let again = try after.updated(to: target, references: Self.references, sidecar: sidecar)
    #expect(again.bytes == updated.bytes, comment)

    // Lines that stay keep their bytes.
    if let old = file.document.root["content"], old.kind == .array,
      let new = updated.root["content"], new.kind == .array
    {
      let oldTexts = Set(old.elements.map { Array(file.document.bytes[$0.range]) })
      let unchanged = new.elements.filter { element in
        old.elements.contains { $0.value == element.value }
      }
      for element in unchanged {
        #expect(oldTexts.contains(Array(updated.bytes[element.range])), comment)
      }
    }
  }

  @Test("canonical form and new files", arguments: 0..<10 as Range<UInt64>)
  func canonical(_ batch: UInt64) throws {
    for seed in batch * 50..<(batch + 1) * 50 { try canonicalForm(seed) }
  }

  private func canonicalForm(_ seed: UInt64) throws {
    var generator = RecordGenerator(seed: seed)
    let kind = generator.random.pick(EntityKind.writable)
    let ref = RecordRef(kind: kind, name: "x")
    let values = generator.values(kind)
    let file = try RecordFile(ref: ref, bytes: generator.text(values))
    let canonical = try RecordFile(ref: ref, bytes: file.canonicalBytes)
    #expect(canonical.document.root.value == file.document.root.value, "seed \(seed)")
    #expect(canonical.canonicalBytes == file.canonicalBytes, "seed \(seed)")

    let new = RecordFile.newFile(values, references: Self.references)
    let made = try RecordFile(ref: ref, bytes: new)
    #expect(
      made.reading(references: Self.references, sidecar: nil).values == values, "seed \(seed)")
    #expect(made.canonicalBytes == new, "seed \(seed)")
    #expect(
      try made.updated(to: values, references: Self.references, sidecar: nil).bytes == new,
      "seed \(seed)")
  }
}
