import Foundation
import Testing

@testable import FFmpeg
@testable import Generation

/// What is drawn from the words of a prompt.
@Suite struct DrawnVideoTests {
  private func drawn(_ prompt: String, _ aspect: VideoAspect = .portrait, seconds: Int = 5) -> DrawnVideo {
    DrawnVideo(VideoRequest(prompt: prompt, seconds: seconds, aspect: aspect))
  }

  @Test func theSameWordsAreTheSamePicture() {
    #expect(drawn("A red boat").graph == drawn("a RED, boat!").graph)
    #expect(drawn("a red boat").graph != drawn("a blue boat").graph)
    #expect(drawn("a red boat").graph != drawn("a red boat", .square).graph)
  }

  @Test(arguments: [
    ("A boat, at dawn!", ["a", "boat", "at", "dawn"]), ("über 7 Straße", ["über", "7", "straße"]),
    ("قارب أحمر", ["قارب", "أحمر"]), ("🛶🌅", ["🛶", "🌅"]), ("", ["nothing"]), (" \n\t", ["nothing"]),
    ("!!", ["!", "!"]),
  ])
  func wordsAreThoseOfAnyScript(_ prompt: String, _ words: [String]) {
    #expect(DrawnVideo.words(of: prompt) == words)
  }

  /// The prompt is a stranger's: ffmpeg's language has files and networks in it.
  @Test(arguments: [
    "movie=/etc/passwd", "';[in]movie=x[out];'", "drawtext=textfile=/etc/passwd", "\\'%{pts}:x", "a\u{0}b",
    String(repeating: "zebra ", count: 6000), "🛶", "\u{202E}evil",
  ])
  func nothingOfThePromptReachesFFmpeg(_ prompt: String) {
    let arguments = drawn(prompt).arguments(to: URL(fileURLWithPath: "/room/video.mp4")).joined(
      separator: " ")
    for word in ["movie", "passwd", "drawtext", "pts", "evil", "zebra", "🛶"] {
      #expect(!arguments.contains(word))
    }
    #expect(arguments.utf8.count < 20_000)
    #expect(arguments.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test func itSaysThatItIsADemonstration() {
    let arguments = drawn("a boat").arguments(to: URL(fileURLWithPath: "/room/video.mp4"))
    #expect(arguments.contains("title=Demonstration"))
    #expect(drawn("a boat").graph.contains("[label]"))
  }

  @Test(arguments: VideoAspect.allCases)
  func everyLabelOfTheGraphIsMadeAndUsedOnce(_ aspect: VideoAspect) {
    for prompt in ["boat", "a b c d e f", "a b c d e f g h"] {
      let graph = drawn(prompt, aspect).graph
      var seen: [String: Int] = [:]
      for match in graph.matches(of: /\[([a-z]+[0-9]*)\]/) { seen[String(match.1), default: 0] += 1 }
      #expect(seen.removeValue(forKey: "picture") == 1)
      #expect(seen.removeValue(forKey: "sound") == 1)
      #expect(seen.values.allSatisfy { $0 == 2 }, "\(seen)")
    }
  }

  @Test(arguments: VideoAspect.allCases)
  func aPictureTakesThePlaceOfTheColours(_ aspect: VideoAspect) {
    var request = VideoRequest(prompt: "a boat", seconds: 5, aspect: aspect)
    request.picture = URL(fileURLWithPath: "/elsewhere/picture.jpg")
    let video = DrawnVideo(request)
    #expect(video.graph.hasPrefix("[0:v:0]") && !video.graph.contains("gradients"))
    #expect(video.graph.contains("[b0]") && !drawn("a boat", aspect).graph.contains("[0:v:0]"))
    let room = URL(fileURLWithPath: "/room/picture")
    let arguments = video.arguments(to: URL(fileURLWithPath: "/room/video.mp4"), from: room)
    // One demuxer and one decoder, of the file in the room.
    #expect(arguments.joined(separator: " ").contains("-f jpeg_pipe -c:v mjpeg -i file:/room/picture"))
    #expect(!arguments.joined().contains("elsewhere"))
    #expect(!drawn("a boat").arguments(to: room).contains("-i"))
  }

  @Test func howFarItIsIsALineOfProgress() {
    let video = drawn("a", seconds: 10)
    #expect(video.permille(in: "out_time_us=2500000") == 250)
    #expect(video.permille(in: "out_time_us=99000000") == 1000)
    #expect(video.permille(in: "out_time_us=-5") == 0)
    #expect(video.permille(in: "out_time_us=N/A") == nil)
    #expect(video.permille(in: "out_time=1") == nil)
  }
}
