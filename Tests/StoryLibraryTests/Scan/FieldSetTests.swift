import Testing

@testable import StoryLibrary

@Suite("Sets of fields")
struct FieldSetTests {
  @Test("fields of a kind, in schema order", arguments: EntityKind.writable)
  func roundTrip(_ kind: EntityKind) {
    let fields = kind.schema.fields
    #expect(FieldSet(fields.reversed(), of: kind).fields(of: kind) == fields)
    #expect(FieldSet([Field](), of: kind).isEmpty)
    for field in fields {
      let one = FieldSet([field], of: kind)
      #expect(one.fields(of: kind) == [field])
      #expect(
        FieldSet(fields, of: kind).subtracting(one).fields(of: kind)
          == fields.filter { $0 != field })
      #expect(one.subtracting(one) == FieldSet())
    }
  }
}
