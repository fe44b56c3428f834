public import Contract
public import Foundation
internal import Marks

/// What a file says of where its picture comes from, as far as that is a trained model: by IPTC's digital
/// source type in XMP, and by a C2PA manifest. Which bytes say it, the core's `MarkReader` knows.
public struct Provenance: Sendable, Equatable {
  public typealias SourceType = DigitalSourceType

  /// Nil: nothing in the file names AI.
  public private(set) var sourceType: SourceType?
  /// The manifest store of C2PA as it was, in boxes of JUMBF (ISO 19566-5); nil: there is none, or it cannot
  /// be read, or it is too large to be kept.
  public private(set) var manifest: [UInt8]?

  public init() {}

  public init(_ sourceType: SourceType, manifest: [UInt8]? = nil) {
    self.sourceType = sourceType
    self.manifest = manifest
  }

  /// What cannot be read says nothing.
  public init(of url: URL) throws {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let reader = try MarkReader(size: Int64(clamping: try file.seekToEnd())) { range in
      try file.seek(toOffset: UInt64(clamping: range.lowerBound))
      return [UInt8](try file.read(upToCount: range.count) ?? Data())
    }
    sourceType = reader.mark.flatMap { SourceType(rawValue: $0.name) }
    manifest = reader.manifest
  }

  /// What the files of a clip say that was made of such a source; nil: nothing. `declared`: what a file said
  /// of which the source was made, as its sender tells. The stronger of both counts.
  ///
  /// The manifest of a clip that was made here goes on naming its maker. One that a person brings may name
  /// their camera, the place and the day, and of these nothing is served: its word stays without it.
  func published(isGenerated: Bool, declared: SourceType? = nil) -> Provenance? {
    if isGenerated { return Provenance(.trainedAlgorithmicMedia, manifest: manifest) }
    return Mark.stronger(sourceType?.mark, declared?.mark).flatMap { SourceType(rawValue: $0.name) }
      .map { Provenance($0) }
  }
}

extension Provenance.SourceType {
  var mark: Mark {
    switch self {
    case .trainedAlgorithmicMedia: .trained
    case .compositeWithTrainedAlgorithmicMedia: .composite
    }
  }
}

// MARK: Boxes

extension Provenance {
  /// Adobe's XMP Specification, part 3, of MPEG-4.
  static let xmpBox: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// C2PA's specification, "Embedding manifests into BMFF-based assets".
  private static let manifestBox: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
  /// Of a full box of version 0: its id, version and flags, and what it is for.
  private static let manifestHead: [UInt8] = manifestBox + [0, 0, 0, 0] + Array("manifest\0".utf8)
  /// Behind it: where in the file a box of hashes lies; 0: nowhere.
  private static let manifestOffset = [UInt8](repeating: 0, count: 8)

  /// As they stand behind a moov: players leave boxes alone whose id they do not know. Empty where there is
  /// nothing to be said.
  var boxes: [UInt8] {
    guard let sourceType else { return [] }
    let xmp = ISOBox.make("uuid", Self.xmpBox + sourceType.packet)
    guard let manifest else { return xmp }
    return xmp + ISOBox.make("uuid", Self.manifestHead + Self.manifestOffset + manifest)
  }
}
