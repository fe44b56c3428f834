internal import Contract
internal import Foundation
internal import Platform

/// What was found in a source, from its headers and from all its packets (not decoded yet).
public struct SourceReport: Sendable {
  public struct Video: Sendable {
    /// Place among all streams of the file, as ffmpeg counts them.
    public var index: Int
    public var codec: String
    public var width: Int
    public var height: Int
    /// Width of a sample relative to its height.
    public var sampleAspect: Double
    public var orientation: Orientation
    public var nominalRate: Double
    public var averageRate: Double
    public var interlaced: Bool
    public var transfer: String
    public var matrix: String
    public var primaries = ""
    /// In ffmpeg's words; empty if nobody said.
    public var pixelFormat = ""
    public var range = ""
    public var isStillPicture: Bool
    public var isDecodable: Bool

    public init(
      index: Int, codec: String, width: Int, height: Int, sampleAspect: Double, rotated: Bool,
      nominalRate: Double, averageRate: Double, interlaced: Bool, transfer: String, matrix: String,
      isStillPicture: Bool, isDecodable: Bool
    ) {
      self.index = index
      self.codec = codec
      self.width = width
      self.height = height
      self.sampleAspect = sampleAspect
      orientation = Orientation(quarterTurns: rotated ? 1 : 0)
      self.nominalRate = nominalRate
      self.averageRate = averageRate
      self.interlaced = interlaced
      self.transfer = transfer
      self.matrix = matrix
      self.isStillPicture = isStillPicture
      self.isDecodable = isDecodable
    }
  }

  public var video: Video
  /// Place of the audio stream; nil if there is none, or none that can be decoded.
  public var audioIndex: Int?
  /// Of the audio stream.
  public var audioChannels = 0
  /// What the file says of where its picture comes from.
  public var provenance = Provenance()
  /// When the first shown frame starts and the last one ends, in seconds of the file's clock.
  public var start: Double
  public var end: Double
  /// Start of the file's clock, which ffmpeg takes for zero.
  public var fileStart: Double
  /// Share of the declared samples that are really in the file; below 1 the file was cut off.
  public var presence: Double
  /// It was cut off, and nothing in it says how much is missing.
  public var isCutOff = false
  /// Frames that the decoder must give.
  public var shownFrames: Int
  /// When the last of them starts, in seconds from the first; nil if that is not known.
  public var lastFrameAt: Double?

  public init(
    video: Video, audioIndex: Int?, start: Double, end: Double, fileStart: Double, presence: Double,
    shownFrames: Int
  ) {
    self.video = video
    self.audioIndex = audioIndex
    self.start = start
    self.end = end
    self.fileStart = fileStart
    self.presence = presence
    self.shownFrames = shownFrames
  }

  /// Seconds of picture.
  public var duration: Double { end - start }

  /// Below this share the clip that people would see is not the clip that was meant.
  static let leastPresence = 0.95

  /// Throws the refusal, the most telling one first.
  public func check() throws {
    guard video.isDecodable else { throw AppError(.unsupportedCodec) }
    guard !video.isStillPicture else {
      throw AppError(.noVideoStream, "The file holds a picture that does not move.")
    }
    let sides = Limits.sidePixels
    guard sides.contains(video.width), sides.contains(video.height),
      video.width * video.height <= Limits.framePixels,
      Double(video.width * video.height) * max(1, min(video.averageRate, 1000))
        <= Double(Limits.pixelsPerSecond)
    else {
      throw AppError(
        .dimensionsUnsupported,
        "The picture is \(video.width)×\(video.height); it must have 16 to 8192 pixels a side.")
    }
    guard !isCutOff else {
      throw AppError(.truncated, "The file ends in the middle of the video; it was cut off.")
    }
    guard presence >= Self.leastPresence else {
      throw AppError(
        .truncated,
        "Only \(Int(clamping: presence * 100, to: 0...100)) % of the declared video is in the file; it was cut off."
      )
    }
    // Rounded: three frames of a thirtieth are a tenth of a second, whatever the last digit says.
    guard (duration * 1000).rounded() >= Double(Limits.shortestMs) else { throw AppError(.tooShort) }
    guard duration * 1000 <= Double(Limits.durationMs + Limits.durationToleranceMs) else {
      // NB: the file's own word: it may be anything, also no number.
      let seconds = Int(clamping: duration, to: 0...SafeInteger.most)
      throw AppError(.tooLong, "The video is \(seconds) seconds long; 60 are allowed.")
    }
  }

  /// Throws unless the decoder gave what the packets promised. It is not the same as `check`: bytes that
  /// never came (zeros in their place) and bytes that were damaged are packets like all others until they are
  /// decoded.
  public func check(_ encoded: Encoded) throws {
    // NB: by the start of the last frame, not by the end: how long a last frame stands cannot be decoded.
    if let lastFrameAt, encoded.lastFrameAt < lastFrameAt * Self.leastPresence {
      throw AppError(
        .truncated,
        "Only \(Self.seconds(encoded.lastFrameAt)) of \(Self.seconds(lastFrameAt)) seconds can be decoded; the upload is not complete."
      )
    }
    guard Double(encoded.decodedFrames) >= Double(shownFrames) * Self.leastPresence else {
      throw AppError(
        .damaged, "Only \(encoded.decodedFrames) of \(shownFrames) frames of the video can be decoded.")
    }
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.1f", value) }
}
