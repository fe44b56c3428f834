/// The playback descriptor: what to fetch, byte by byte, without reading a playlist first.
public struct Playback: Codable, Sendable, Equatable {
  /// Length of the video track; a loop starts again exactly here.
  public var durationMs: Int
  /// The same clip as standard HLS, for players that want a playlist.
  public var hlsUrl: String
  /// In ascending quality, at least one. All have segments at the same instants. A clip that was published a
  /// moment ago may have only its smallest; a later answer then names more, and those that were named stay
  /// valid.
  public var renditions: [Rendition]
  /// Null until all renditions are there.
  public var storyboard: Storyboard?
  /// By language; null where there are none.
  public var captions: [CaptionTrack]?
  /// How many of those who start the clip still watch it after 0, 1, 2 … seconds, over its end into its
  /// loops, in millionths; whoever is there at the last one watches on and on. Null until enough people have
  /// started it.
  public var retention: [Int]?
  /// Counts the curves of this clip: a larger number is made of more starts.
  public var retentionVersion: Int?

  public init(
    durationMs: Int, hlsUrl: String, renditions: [Rendition], storyboard: Storyboard? = nil,
    captions: [CaptionTrack]? = nil, retention: [Int]? = nil, retentionVersion: Int? = nil
  ) {
    self.durationMs = durationMs
    self.hlsUrl = hlsUrl
    self.renditions = renditions
    self.storyboard = storyboard
    self.captions = captions
    self.retention = retention
    self.retentionVersion = retentionVersion
  }
}

/// Small pictures of the clip in one image: rows of tiles from the left and from the top. The tile with the
/// number n, counted from 0, shows the instant `n * intervalMs`.
public struct Storyboard: Codable, Sendable, Equatable {
  public var url: String
  /// The same as WebVTT, for players that want that: each cue names its tile as `#xywh=`.
  public var vttUrl: String
  /// In pixels of the image.
  public var tileWidth: Int
  public var tileHeight: Int
  public var columns: Int
  /// Tiles in all; the last row may have room for more.
  public var count: Int
  public var intervalMs: Int

  public init(
    url: String, vttUrl: String, tileWidth: Int, tileHeight: Int, columns: Int, count: Int, intervalMs: Int
  ) {
    self.url = url
    self.vttUrl = vttUrl
    self.tileWidth = tileWidth
    self.tileHeight = tileHeight
    self.columns = columns
    self.count = count
    self.intervalMs = intervalMs
  }
}

/// What is said in a clip, as text to read: one WebVTT file, whose times are those of the clip.
public struct CaptionTrack: Codable, Sendable, Equatable {
  /// BCP 47. A clip has at most one track of each.
  public var language: String
  /// For people to choose by.
  public var label: String
  public var url: String
  /// Made by a program, not by a person.
  public var automatic: Bool

  public init(language: String, label: String, url: String, automatic: Bool) {
    self.language = language
    self.label = label
    self.url = url
    self.automatic = automatic
  }
}

/// The captions of a clip, by language.
public struct CaptionList: Codable, Sendable, Equatable {
  public var items: [CaptionTrack]

  public init(items: [CaptionTrack]) { self.items = items }
}

/// One fragmented MP4 file. Init and segments lie in it without a gap, in order, from byte 0 to its end.
public struct Rendition: Codable, Sendable, Equatable {
  /// The step of the ladder by short edge: "360", "540", "720" or "1080".
  public var name: String
  public var url: String
  public var width: Int
  public var height: Int
  public var frameRate: Double
  /// RFC 6381, ready for `MediaSource.isTypeSupported`.
  public var codecs: String
  /// The bit rate of the largest segment, and of the whole file.
  public var peakBps: Int
  public var averageBps: Int
  public var initialization: ByteRange
  public var segments: [Segment]

  public init(
    name: String, url: String, width: Int, height: Int, frameRate: Double, codecs: String, peakBps: Int,
    averageBps: Int, initialization: ByteRange, segments: [Segment]
  ) {
    self.name = name
    self.url = url
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.codecs = codecs
    self.peakBps = peakBps
    self.averageBps = averageBps
    self.initialization = initialization
    self.segments = segments
  }

  // NB: the shared coder turns these names into snake case; only `init` needs its own, as it is a keyword
  // here.
  enum CodingKeys: String, CodingKey {
    case name, url, width, height, frameRate, codecs, peakBps, averageBps, segments
    case initialization = "init"
  }
}

public struct ByteRange: Codable, Sendable, Equatable {
  public var offset: Int
  public var size: Int

  public init(offset: Int, size: Int) {
    self.offset = offset
    self.size = size
  }
}

/// One or more movie fragments that start with a key frame and can be appended alone after the init.
public struct Segment: Codable, Sendable, Equatable {
  public var offset: Int
  public var size: Int
  public var durationMs: Int

  public init(offset: Int, size: Int, durationMs: Int) {
    self.offset = offset
    self.size = size
    self.durationMs = durationMs
  }
}
