import Marks
import Testing

/// What a packet of XMP names, however it is written.
@Suite struct MarkTests {
  private static func mark(in packet: String) -> Mark? { Mark(named: Array(packet.utf8)[...]) }

  /// AI stands for the value that names it, CAMERA for one that does not.
  @Test(arguments: [
    "<a Iptc4xmpExt:DigitalSourceType=\"AI\"/>", "<a Iptc4xmpExt:DigitalSourceType = 'AI'/>",
    "<x:DigitalSourceType>\n  AI\n</x:DigitalSourceType>", "<y:digitalSourceType rdf:resource=\"AI\"/>",
    "<x:DigitalSourceType>CAMERA</x:DigitalSourceType><x:DigitalSourceType>AI</x:DigitalSourceType>",
  ])
  func aSourceTypeIsReadHoweverItIsWritten(_ packet: String) {
    let packet = packet.replacing("CAMERA", with: MarkedFile.camera)
    for (uri, mark) in [(MarkedFile.trained, Mark.trained), (MarkedFile.composite, .composite)] {
      let written = packet.replacing("AI", with: uri)
      #expect(Self.mark(in: written) == mark)
      #expect(Self.mark(in: written.replacing("http:", with: "https:")) == mark)
    }
  }

  @Test func whatNamesNoneSaysNothing() {
    let property = "<x:DigitalSourceType>"
    let far = property + String(repeating: " ", count: 200) + MarkedFile.trained
    let start = property + "http://cv.iptc.org/newscodes/digitalsourcetype/"
    for packet in [
      "", property, MarkedFile.trained, property + MarkedFile.camera, property + "trainedAlgorithmicMedia",
      far,
      start, property + MarkedFile.trained + "Else", property + MarkedFile.trained.dropLast(),
    ] {
      #expect(Self.mark(in: packet) == nil, "\(packet)")
    }
  }

  @Test func theStrongerOfTwoCounts() {
    #expect(Mark.stronger(nil, nil) == nil)
    #expect(Mark.stronger(.composite, nil) == .composite)
    #expect(Mark.stronger(nil, .composite) == .composite)
    #expect(Mark.stronger(.trained, .composite) == .trained)
    #expect(Mark.stronger(.composite, .trained) == .trained)
  }
}
