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
