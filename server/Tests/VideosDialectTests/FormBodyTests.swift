import Contract
import Platform
import Testing

@testable import PlatformTesting
@testable import VideosDialect

/// Forms of strangers.
@Suite struct FormBodyTests {
  private static let form = "multipart/form-data; charset=utf-8; boundary=\"a b\""

  private func read(_ text: String, _ type: String = Self.form) throws -> [FormBody.Part] {
    try FormBody.parts(of: Array(text.utf8), type: type)
  }

  @Test func partsAreReadInTheirOrder() throws {
    let text =
      "--a b\r\nContent-Disposition: form-data; name=\"prompt\"\r\nContent-Type: text/plain\r\n\r\n"
      + "Two\r\nlines\r\n"
      + "--a b\r\ncontent-disposition:form-data;name=size\r\n\r\n\r\n--a b--\r\nwhat follows is nothing"
    #expect(
      try read(text)
        == [FormBody.Part(name: "prompt", text: "Two\r\nlines"), FormBody.Part(name: "size", text: "")])
    #expect(try read("--a b--").isEmpty)
  }

  @Test func aPartThatNamesAFileIsItsBytes() throws {
    let head = "Content-Disposition: form-data; name=\"input_reference\"; filename=\"x.png\"\r\n\r\n"
    let file: [UInt8] = [0x89, 0x50, 0, 0xFF, 0x0D, 0x0A, 0x2D, 0x2D, 0x61, 0x0D, 0x0A]
    let bytes = Array("--a b\r\n\(head)".utf8) + file + Array("\r\n--a b--".utf8)
    let part = FormBody.Part(name: "input_reference", text: "", file: file)
    #expect(try FormBody.parts(of: bytes, type: Self.form) == [part])
    let fields = try DialectFields.read(bytes, type: Self.form)
    #expect(try fields.file("input_reference") == file && fields.has("input_reference"))
    #expect(try fields.file("prompt") == nil)
  }

  @Test func aFileIsNoTextAndATextNoFile() async throws {
    func form(_ name: String, _ rest: String) -> [UInt8] {
      Array("--a b\r\nContent-Disposition: form-data; name=\(name)\(rest)\r\n\r\ny\r\n".utf8)
    }
    let end = Array("--a b--".utf8)
    let file = try DialectFields.read(form("prompt", "; filename=x") + end, type: Self.form)
    #expect(await refusal { try file.prompt() } == .invalidParameter)
    let text = try DialectFields.read(form("input_reference", "") + end, type: Self.form)
    #expect(await refusal { try text.file("input_reference") } == .invalidParameter)
    let both = form("x", "") + form("x", "; filename=x") + end
    #expect(await refusal { try DialectFields.read(both, type: Self.form) } == .requestRefused)
  }

  @Test func anEndlessFileIsReadOnce() async throws {
    // Beginnings of the boundary, all the way.
    let content = Array(repeating: Array("\r\n--a ".utf8), count: 200_000).flatMap(\.self)
    let bytes = Array("--a b\r\nContent-Disposition: form-data; name=x; filename=x\r\n\r\n".utf8) + content
    #expect(await refusal { try FormBody.parts(of: bytes, type: Self.form) } == .requestRefused)
    let whole = bytes + Array("\r\n--a b--".utf8)
    #expect(try FormBody.parts(of: whole, type: Self.form).first?.file == content)
  }

  @Test(arguments: [
    "", "--", "--a b", "--a b\r\n", "x--a b--", "--a b\r\n\r\n--a b--", "--a b\r\nname=x\r\n\r\ny\r\n--a b--",
    "--a b\r\nContent-Disposition: form-data\r\n\r\ny\r\n--a b--",
    "--a b\r\nContent-Disposition: form-data; name=x\r\n\r\ny\r\n",
  ])
  func whatIsNoneIsRefused(_ text: String) async {
    #expect(await refusal { try read(text) } == .requestRefused)
  }

  @Test func aFormOfTooManyPartsOrMarksIsRefused() async {
    let part = "--a b\r\nContent-Disposition: form-data; name=x\r\n\r\ny\r\n"
    #expect(
      await refusal { try read(String(repeating: part, count: 33) + "--a b--") } == .requestRefused)
    let marks = String(repeating: "\u{301}", count: 200)
    let tower = "--a b\r\nContent-Disposition: form-data; name=x\r\n\r\na\(marks)\r\n--a b--"
    #expect(await refusal { try read(tower) } == .requestRefused)
    for type in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary"] {
      #expect(await refusal { try read("--a b--", type) } == .requestRefused, "\(type)")
    }
  }

  @Test func whichTypeIsAForm() {
    #expect(FormBody.isOne("Multipart/Form-Data; boundary=x") && FormBody.isOne(" multipart/form-data "))
    #expect(!FormBody.isOne("") && !FormBody.isOne("application/json; x=multipart/form-data"))
  }
}

/// What a request wants, of what can be had.
@Suite struct VideoWishTests {
  private func wish(_ json: String, lengths: [Int] = [5, 10, 15]) throws -> NewGeneration {
    try VideoWish(
      try DialectFields.read(Array(json.utf8), type: "application/json"), lengths: lengths
    ).generation
  }

  @Test(arguments: [
    ("1", 5), ("5", 5), ("6", 10), ("\"11\"", 15), ("15", 15), ("null", 5),
  ])
  func aLengthInBetweenIsTheNextOne(_ seconds: String, _ made: Int) throws {
    #expect(try wish(#"{"prompt":"x","seconds":\#(seconds)}"#).seconds == made)
  }

  @Test func aSizeIsAShape() throws {
    #expect(try wish(#"{"prompt":"x"}"#).aspect == .portrait)
    #expect(try wish(#"{"prompt":"x","size":"1792x1024"}"#).aspect == .landscape)
    #expect(try wish(#"{"prompt":"x","size":"1024x1024"}"#).aspect == .square)
  }

  @Test func anIdSaysWhatItIsOf() async throws {
    #expect(VideoID.text("a1") == "video_a1")
    #expect(try VideoID.read("video_a1") == "a1")
    for text in ["", "a1", "video_", "Video_a1"] {
      #expect(await refusal { try VideoID.read(text) } == .generationNotFound, "\(text)")
    }
  }
}
