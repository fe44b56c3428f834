public import Foundation

/// What the boxes of an MP4 say that ffprobe does not: whether a fragmented one was cut off, and which tracks
/// are encrypted.
///
/// The header of a fragmented file is written before the first fragment and says how long the clip was hoped
/// to be; an app that stops early leaves it so. What is missing shows elsewhere: in a box that goes on behind
/// the end of the file, in a fragment without its data, in an index that points there.
///
/// Sizes in a stranger's file may be anything: every step goes forward, and nothing is added up without a
/// look at whether it fits.
public struct ISOFile: Sendable, Equatable {
  public private(set) var isCutOff = false
  /// Its last media goes to the end of the file, wherever that is: nobody can tell whether there was more.
  private var isOpenEnded = false
  /// What the header hoped for; nil: it says nothing.
  private(set) var declaredSeconds: Double?
  /// Up to where an index says that there is media.
  private(set) var indexedEnd = 0
  public private(set) var hasFragments = false
  /// Numbers of tracks whose media needs a key, by their sample entries.
  public private(set) var encryptedTracks: Set<UInt32> = []
  private let size: Int
  /// The last fragment's data has not come yet.
  private var lacksData = false
  /// By track: bytes of each sample, where a fragment does not say.
  private var sampleSizes: [UInt32: UInt32] = [:]

  /// A minute of a fragment for each frame at 240 a second has half of them.
  private static let mostBoxes = 100_000
  /// No header of a minute of video comes near to it.
  private static let mostHeaderBytes = 16 << 20
  /// What holds or announces media. Where another kind of box is cut off, a player misses nothing.
  private static let media: Set<String> = ["moov", "moof", "mdat", "styp", "sidx", "emsg", "prft"]

  /// What cannot be read as boxes says nothing.
  public init(at url: URL) throws {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    size = Int(clamping: try file.seekToEnd())
    var place = 0
    for _ in 0..<Self.mostBoxes where place < size {
      let head = try Self.read(file, place, 16)
      guard head.count >= 8 else {
        // Zeros are padding.
        isCutOff = head.contains { $0 != 0 }
        break
      }
      guard let box = Self.box(head, at: place, in: size) else { break }
      guard box.end <= size else {
        isCutOff = Self.media.contains(box.type)
        break
      }
      try look(at: box, of: file)
      place = box.end
    }
    isCutOff = isCutOff || lacksData || indexedEnd > size
  }

  /// Share of the clip that is there, whose last frame that is there ends after so many seconds; nil:
  /// something is missing, and nothing says how much.
  public func presence(of seconds: Double) -> Double? {
    guard isCutOff else { return 1 }
    var shares: [Double] = []
    // A header that speaks of less than there is has no idea.
    if let declaredSeconds, seconds <= declaredSeconds * 1.05 { shares.append(seconds / declaredSeconds) }
    if indexedEnd > 0 { shares.append(Double(size) / Double(indexedEnd)) }
    return shares.min().map { min(1, $0) }
  }

  /// Nothing is missing whose last frame ends after so many seconds, however many samples its tables speak
  /// of: those before the start of an edit list are left out where no other frame needs them.
  public func isWhole(of seconds: Double) -> Bool {
    guard !isCutOff, !isOpenEnded, let declaredSeconds else { return false }
    return seconds >= declaredSeconds * SourceReport.leastPresence
  }

  // MARK: Boxes

  private struct Box {
    let type: String
    let start: Int
    let content: Int
    let end: Int
    var isOpenEnded = false
  }

  private static func box(_ head: [UInt8], at place: Int, in size: Int) -> Box? {
    var reader = BoxReader(head)
    guard let short = try? reader.u32() else { return nil }
    let type = String(decoding: head[4..<8], as: UTF8.self)
    try? reader.skip(4)
    switch short {
    case 0: return Box(type: type, start: place, content: place + 8, end: size, isOpenEnded: true)
    case 1:
      guard let long = try? reader.u64(), long >= 16, long < 1 << 60 else { return nil }
      return Box(type: type, start: place, content: place + 16, end: place + Int(long))
    case 2..<8: return nil
    default: return Box(type: type, start: place, content: place + 8, end: place + Int(short))
    }
  }

  private static func read(_ file: FileHandle, _ place: Int, _ count: Int) throws -> [UInt8] {
    try file.seek(toOffset: UInt64(place))
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }

  /// What cannot be understood tells nothing.
  private mutating func look(at box: Box, of file: FileHandle) throws {
    guard ["moov", "moof", "mdat", "sidx", "mfra"].contains(box.type) else { return }
    if box.type == "mdat" {
      (lacksData, isOpenEnded) = (false, box.isOpenEnded)
      return
    }
    let length = box.end - box.content
    guard length <= Self.mostHeaderBytes else { return }
    let reader = BoxReader(try Self.read(file, box.content, length))
    switch box.type {
    case "moov": try? readHeader(reader)
    case "moof":
      (hasFragments, lacksData) = (true, true)
      try? readFragment(reader, at: box.start, behind: box.end)
    case "sidx": try? readIndex(reader, behind: box.end)
    default: try? readAccess(reader)
    }
  }

  /// The entries of a track that say so are of these kinds, whatever codec they go on to name.
  private mutating func readTrack(_ trak: BoxReader.Box, _ reader: BoxReader) throws {
    var header = reader.reader(try reader.child(of: trak, "tkhd"))
    try header.skip(try header.u32() >> 24 == 1 ? 16 : 8)
    let number = try header.u32()
    let entries = try reader.descendant(of: trak, "mdia", "minf", "stbl", "stsd")
    var list = BoxReader(reader.bytes, in: entries.content)
    try list.skip(8)
    while !list.isAtEnd {
      if ["encv", "enca"].contains(try list.nextBox().type) { encryptedTracks.insert(number) }
    }
  }

  /// mvhd, mvex and the tracks of a moov.
  private mutating func readHeader(_ reader: BoxReader) throws {
    var ticks = 0.0
    var timescale = 0.0
    var reader = reader
    while !reader.isAtEnd {
      let child = try reader.nextBox()
      if child.type == "mvhd" {
        var fields = reader.reader(child)
        let isLong = try fields.u32() >> 24 == 1
        try fields.skip(isLong ? 16 : 8)
        timescale = Double(try fields.u32())
        // All ones: nobody knows.
        let stated = isLong ? try fields.u64() : UInt64(try fields.u32())
        ticks = stated == (isLong ? .max : UInt64(UInt32.max)) ? 0 : Double(stated)
      } else if child.type == "trak" {
        try? readTrack(child, reader)
      } else if child.type == "mvex" {
        for box in try reader.children(of: child, ["mehd", "trex"]) {
          var fields = reader.reader(box)
          let isLong = try fields.u32() >> 24 == 1
          if box.type == "mehd" {
            ticks = max(ticks, isLong ? Double(try fields.u64()) : Double(try fields.u32()))
          } else {
            let track = try fields.u32()
            try fields.skip(8)
            sampleSizes[track] = try fields.u32()
          }
        }
      }
    }
    if ticks > 0, timescale > 0 { declaredSeconds = ticks / timescale }
  }

  /// How far the data of a fragment reaches.
  private mutating func readFragment(_ reader: BoxReader, at start: Int, behind end: Int) throws {
    var reader = reader
    // Of a track whose header says nothing else: behind the data of the track before.
    var next = start
    var bytes = 0
    while !reader.isAtEnd {
      let traf = try reader.nextBox()
      guard traf.type == "traf" else { continue }
      var header = reader.reader(try reader.child(of: traf, "tfhd"))
      let flags = try header.u32()
      var sampleSize = sampleSizes[try header.u32()] ?? 0
      var base = flags & 0x02_0000 != 0 ? start : next
      if flags & 0x01 != 0 { base = Int(clamping: try header.u64()) }
      for flag in [0x02, 0x08] as [UInt32] where flags & flag != 0 { try header.skip(4) }
      if flags & 0x10 != 0 { sampleSize = try header.u32() }
      next = base
      for trun in try reader.children(of: traf, ["trun"]) {
        var run = reader.reader(trun)
        let (offset, length) = try Self.run(&run, sampleSize)
        if let offset { next = base.addingReportingOverflow(offset).partialValue }
        guard next >= 0, next < 1 << 60, length < 1 << 60 else {
          throw BoxReader.Malformed(reason: "nowhere")
        }
        next += length
        bytes += min(length, 1 << 40)
        if length > 0, next > size { isCutOff = true }
      }
    }
    if bytes == 0 { lacksData = false }
  }

  /// Where its data begins, from the base, and how long it is.
  private static func run(_ run: inout BoxReader, _ standard: UInt32) throws -> (offset: Int?, length: Int) {
    let flags = try run.u32()
    let count = Int(try run.u32())
    let offset = flags & 0x001 != 0 ? Int(Int32(bitPattern: try run.u32())) : nil
    if flags & 0x004 != 0 { try run.skip(4) }
    // Both of 32 bits.
    guard flags & 0x200 != 0 else { return (offset, Int(clamping: UInt64(count) * UInt64(standard))) }
    var length = 0
    for _ in 0..<count {
      if flags & 0x100 != 0 { try run.skip(4) }
      // Four bytes of the box for each, and a box has sixteen million.
      length += Int(try run.u32())
      if flags & 0x400 != 0 { try run.skip(4) }
      if flags & 0x800 != 0 { try run.skip(4) }
    }
    return (offset, length)
  }

  /// A sidx names the sizes of what comes behind it, one after the other.
  private mutating func readIndex(_ reader: BoxReader, behind end: Int) throws {
    var fields = reader
    let isLong = try fields.u32() >> 24 != 0
    try fields.skip(8 + (isLong ? 8 : 4))
    let first = isLong ? Int(clamping: try fields.u64()) : Int(try fields.u32())
    try fields.skip(2)
    let count = Int(try fields.u16())
    guard first < 1 << 60 else { return }
    var place = end + first
    for _ in 0..<count {
      place += Int(try fields.u32() & 0x7FFF_FFFF)
      try fields.skip(8)
    }
    if count > 0 { indexedEnd = max(indexedEnd, place) }
  }

  /// An mfra names where the fragments of each track begin.
  private mutating func readAccess(_ reader: BoxReader) throws {
    var reader = reader
    while !reader.isAtEnd {
      let tfra = try reader.nextBox()
      guard tfra.type == "tfra" else { continue }
      var fields = reader.reader(tfra)
      let isLong = try fields.u32() >> 24 == 1
      try fields.skip(4)
      let lengths = try fields.u32()
      let numbers = [4, 2, 0].reduce(0) { $0 + Int(lengths >> UInt32($1) & 3) + 1 }
      for _ in 0..<(try fields.u32()) {
        try fields.skip(isLong ? 8 : 4)
        let moof = isLong ? Int(clamping: try fields.u64()) : Int(try fields.u32())
        try fields.skip(numbers)
        // Its header at least has to be there.
        if moof > size - 8 { indexedEnd = max(indexedEnd, min(moof, 1 << 60) + 8) }
      }
    }
  }
}
