import Foundation

/// Players that we did not write, and what each says of all frames that it gets.
enum Player: String, CaseIterable {
  case ffmpeg, gstreamer, mpv

  /// What is compared.
  var compares: String {
    switch self {
    case .ffmpeg: "MD5 and time of each picture and each block of sound"
    case .gstreamer: "SHA-1 and time of each picture, MD5 and time of each block of sound"
    case .mpv: "MD5 of each picture and each block of sound"
    }
  }

  private func arguments(_ url: URL) -> [String] {
    switch self {
    case .ffmpeg:
      ["ffmpeg", "-v", "error", "-i", "\(url)", "-map", "0:v", "-map", "0:a?", "-f", "framemd5", "-"]
    case .gstreamer:
      [
        "timeout", "60", "gst-launch-1.0", "-q", "playbin", "uri=\(url)",
        "video-sink=checksumsink sync=false hash=sha1", "audio-sink=checksumsink sync=false hash=md5",
      ]
    case .mpv:
      [
        "timeout", "60", "mpv", "--no-config", "--really-quiet", "--o=-", "--of=framemd5", "--ovc=rawvideo",
        "--oac=pcm_s16le", "\(url)",
      ]
    }
  }

  /// What a program writes to its standard output.
  static func output(_ arguments: [String]) async throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return try await Task.detached {
      String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }.value
  }

  /// Lines of pictures, then lines of sound; empty if it did not play.
  func frames(_ url: URL) async throws -> [String] {
    let text = try await Self.output(arguments(url))
    let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && !$0.isEmpty }
    // Picture and sound come as their threads run; each of them in its order.
    let isPicture = { (line: String) in
      self == .gstreamer ? line.split(separator: " ").last?.count == 40 : line.hasPrefix("0,")
    }
    return lines.filter(isPicture) + lines.filter { !isPicture($0) }
  }
}
