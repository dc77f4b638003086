import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

@Suite(.inTurn) struct ZIPWriterTests {
  @Test(arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] as [(String, UInt32)])
  func `checksums are those of the standard`(_ text: String, _ sum: UInt32) {
    #expect(Array(text.utf8).withUnsafeBytes { CRC32.sum($0) } == sum)
  }

  @Test func `another program reads the archive`() async throws {
    let folder = try TemporaryFolder()
    let large = [UInt8](repeating: 7, count: 700_000)
    try folder.write(large, to: "large")
    let output = try OutputFile(folder.path("a.zip"))
    var writer = ZIPWriter(output)
    try writer.add("mimetype", Array("application/epub+zip".utf8))
    try writer.add("ä/雪.txt", Array("snow".utf8))
    try writer.add("large", file: ConfinedPath(root: folder.path, "large"))
    try writer.finish()
    _ = try output.commit()
    let script = """
      import zipfile
      with zipfile.ZipFile("a.zip") as archive:
          print(archive.testzip(), [(i.filename, i.file_size) for i in archive.infolist()],
                archive.read("ä/雪.txt"), archive.infolist()[0].date_time)
      """
    let running = try RunningProgram(
      ProgramStart(words: ["python3", "-X", "utf8", "-c", script], folder: folder.path))
    running.send("")
    let result = running.wait()
    #expect(
      result.output
        == "None [('mimetype', 20), ('ä/雪.txt', 4), ('large', 700000)] b'snow' (1980, 1, 1, 0, 0, 0)\n",
      "\(result.errors)")
    // Readers of books look for the type at these places.
    let bytes = try folder.bytes("a.zip")
    #expect(bytes[30..<58].elementsEqual("mimetypeapplication/epub+zip".utf8))
  }

  @Test func `a file that is never complete leaves nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "file")
    do {
      let output = try OutputFile(folder.path("file"))
      try output.write(Array("new".utf8))
    }
    #expect(try folder.files(below: "") == ["file"])
    #expect(try folder.read("file") == "old")
  }
}
