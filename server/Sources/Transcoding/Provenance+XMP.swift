extension Provenance.SourceType {
  /// https://cv.iptc.org/newscodes/digitalsourcetype/, without the scheme.
  private static let vocabulary = "cv.iptc.org/newscodes/digitalsourcetype/"
  /// In XMP with a large D, in C2PA with a small one.
  private static let property = Array("igitalSourceType".utf8)
  /// From the property's name to its value there are a few signs, in XML and in CBOR.
  private static let nearBytes = 128

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

  /// The first that is the value of such a property, in a packet of XMP or in a manifest; nil: none.
  init?(named bytes: ArraySlice<UInt8>) {
    let vocabulary = Array(Self.vocabulary.utf8)
    var rest = bytes
    while let name = rest.firstRange(of: Self.property) {
      rest = rest[name.upperBound...]
      guard let start = rest.prefix(Self.nearBytes).firstRange(of: vocabulary) else { continue }
      let value = rest[start.upperBound...].prefix(64).prefix {
        (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
      guard let found = Self(rawValue: String(decoding: value, as: UTF8.self)) else { continue }
      self = found
      return
    }
    return nil
  }
}
