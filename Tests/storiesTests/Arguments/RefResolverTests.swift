import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite struct RefResolverTests {
  private func resolver(_ library: SampleLibrary, in folder: String = "") throws -> RefResolver {
    let opened = try Library(root: library.folder.path)
    let scan = try Scanner(opened).scan()
    let nowhere = Output(
      sink: OutputSink(isBuffered: false) { _ in 0 }, isTerminal: false, width: 80)
    let context = Context(
      output: nowhere, errors: nowhere, input: Input(isTerminal: false) { nil },
      environment: [:], folder: library.folder.path(folder))
    return RefResolver(scan, of: opened, context: context)
  }

  @Test(arguments: [
    ("heroes/luna", ""), ("heroes/luna.json", ""), ("./heroes/luna.json", ""), ("hero/luna", ""),
    ("luna", ""), ("luna.json", "heroes"), ("luna", "heroes"), ("./luna.json", "heroes"),
    ("../heroes/luna.json", "stories"), ("heroes/luna", "stories"), ("Luna", ""),
  ])
  func findsOneRecord(word: String, folder: String) throws {
    let library = try SampleLibrary()
    let found = try resolver(library, in: folder).record(word)
    #expect(found.description == "heroes/luna")
  }

  @Test func findsByAbsolutePath() throws {
    let library = try SampleLibrary()
    let path = library.folder.path("stories/2026/first-snow.json")
    #expect(try resolver(library).record(path).description == "stories/2026/first-snow")
  }

  @Test(arguments: [
    ("otto", "heroes/family/otto"), ("family/otto", "heroes/family/otto"),
    ("The First Snow", "stories/2026/first-snow"), ("first-snow", "stories/2026/first-snow"),
  ])
  func findsByPartOfTheName(word: String, ref: String) throws {
    let library = try SampleLibrary()
    try library.folder.move("stories/2026/first-snow.json", to: "stories/2026/first-snow.json")
    let found = try? resolver(library).record(word)
    if word == "The First Snow" {
      // The title makes another file name than the file has.
      #expect(found == nil)
    } else {
      #expect(found?.description == ref)
    }
  }

  @Test(
    arguments: [
      (["heroes"], 2), (["heroes/"], 2), (["heroes/family"], 1), (["stories/2026/"], 1), (["."], 4),
      ([], 4), (["heroes", "luna", "stories"], 3),
    ] as [([String], Int)])
  func foldersNameAllBelow(words: [String], count: Int) throws {
    let library = try SampleLibrary()
    #expect(try resolver(library).records(words).count == count)
  }

  /// As the path of a folder, what an unset variable leaves would be the whole library.
  @Test(arguments: ["", "/", "//"])
  func anEmptyWordNamesNothing(word: String) throws {
    let library = try SampleLibrary()
    let resolver = try resolver(library)
    let error = CommandError.emptyRef(word)
    #expect(throws: error) { try resolver.records([word]) }
    #expect(throws: error) { try resolver.records(["luna", word]) }
    #expect(throws: error) { try resolver.record(word) }
    #expect(throws: error) { try resolver.kinds(word, of: EntityKind.writable) }
  }

  @Test(arguments: ["events", "events/", "."])
  func aKindMayHaveNoRecords(word: String) throws {
    let library = try SampleLibrary()
    for folder in word == "." ? ["heroes", "events", "stories"] : ["events"] {
      try library.folder.remove(folder)
    }
    #expect(try resolver(library).records([word]) == [])
    #expect(throws: CommandError.self) { try resolver(library).records(["events/2026"]) }
  }

  @Test func aTitleIsAHint() throws {
    let library = try SampleLibrary()
    let snow = RecordRef(kind: .stories, name: "2026/first-snow")
    #expect(throws: CommandError.noSuchRecord("the first snow", noun: "record", nearest: snow)) {
      try resolver(library).record("the first snow")
    }
  }

  @Test func severalAreTooManyForOne() throws {
    let library = try SampleLibrary()
    #expect(throws: CommandError.severalRecords(["heroes"], count: 2)) {
      try resolver(library).record("heroes")
    }
  }

  @Test func sameNameInTwoKindsIsAmbiguous() throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleLibrary.tooth, to: "events/luna.json")
    let refs = [
      RecordRef(kind: .heroes, name: "luna"), RecordRef(kind: .events, name: "luna"),
    ]
    #expect(throws: CommandError.ambiguousName("luna", refs)) {
      try resolver(library).record("luna")
    }
    #expect(try resolver(library).record("events/luna").kind == .events)
  }

  @Test(arguments: [
    ("lnua", "heroes/luna"), ("heros/luna", "heroes/luna"), ("heroes/lun", "heroes/luna"),
    ("oto", "heroes/family/otto"), ("snow", "stories/2026/first-snow"), ("zzzzzz", nil),
  ])
  func suggestsTheNearest(word: String, nearest: String?) throws {
    let library = try SampleLibrary()
    let error = CommandError.noSuchRecord(
      word, noun: "record", nearest: nearest.flatMap { RecordRef($0) })
    #expect(throws: error) { try resolver(library).record(word) }
  }

  /// A record of the same name is not meant: `rm luna.json` would remove it instead of the file.
  @Test(arguments: [
    ("luna.json", "", "heroes/luna"), ("./luna.json", "", "heroes/luna"),
    ("../luna.json", "stories", "heroes/luna"), ("stories/plain.txt", "", nil),
    ("heroes/.sync/luna.json", "", nil),
  ])
  func aFileIsMeantItself(word: String, folder: String, nearest: String?) throws {
    let library = try SampleLibrary()
    for file in ["luna.json", "stories/plain.txt", "heroes/.sync/luna.json"] {
      try library.folder.write("{}", to: file)
    }
    let error = CommandError.notARecord(word, nearest: nearest.flatMap { RecordRef($0) })
    #expect(throws: error) { try resolver(library, in: folder).record(word) }
  }

  @Test func pathOutsideTheLibrary() throws {
    let library = try SampleLibrary()
    #expect(throws: CommandError.outsideLibrary("/etc/passwd", root: library.folder.path)) {
      try resolver(library).record("/etc/passwd")
    }
  }
}
