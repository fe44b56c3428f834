internal import Contract

extension Provenance.SourceType {
  /// https://cv.iptc.org/newscodes/digitalsourcetype/, without the scheme.
  private static let vocabulary = "cv.iptc.org/newscodes/digitalsourcetype/"

  var uri: String { "http://" + Self.vocabulary + rawValue }

  /// A packet of XMP (ISO 16684-1) that says this and nothing else, not to be written over. The property is
  /// IPTC's, of its standards for photos and for videos.
  var packet: [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
      <Iptc4xmpExt:DigitalSourceType>\(uri)</Iptc4xmpExt:DigitalSourceType>
      </rdf:Description>
      </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="r"?>
      """.utf8)
  }
}
