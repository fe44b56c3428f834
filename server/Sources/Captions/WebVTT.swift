/// Cues as the one form of WebVTT that is stored: sorted, escaped, without anything but text, emphasis and
/// speakers.
public enum WebVTT {
  /// RFC 8216, section 3.5: where this file's clock stands on that of the media, whose timeline begins at 0.
  /// A parser that knows no HLS skips it, as it does every line of the header.
  static let header = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"

  public static func write(_ cues: [Cue]) -> String {
    var out = header
    for cue in cues {
      out += "\n\(time(cue.startMs)) --> \(time(cue.endMs))\n\(markup(cue.text))\n"
    }
    return out
  }

  static func time(_ ms: Int) -> String {
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return
      "\(digits(ms / 3_600_000, 2)):\(digits(ms / 60_000 % 60, 2)):\(digits(ms / 1000 % 60, 2)).\(digits(ms % 1000, 3))"
  }

  static func markup(_ text: CueText) -> String {
    var out = ""
    var speaking: String?
    for run in text.runs {
      if run.voice != speaking {
        if speaking != nil { out += "</v>" }
        if let voice = run.voice { out += "<v \(escaped(voice))>" }
        speaking = run.voice
      }
      let tags = [(CueText.Style.bold, "b"), (.italic, "i"), (.underline, "u")].filter {
        run.style.contains($0.0)
      }
      out += tags.map { "<\($0.1)>" }.joined() + escaped(run.text)
      out += tags.reversed().map { "</\($0.1)>" }.joined()
    }
    return speaking == nil ? out : out + "</v>"
  }

  /// Without `<`, `&`, and the `>` that could become the arrow of a cue.
  private static func escaped(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out.append(contentsOf: "&amp;".unicodeScalars)
      case "<": out.append(contentsOf: "&lt;".unicodeScalars)
      case ">": out.append(contentsOf: "&gt;".unicodeScalars)
      default: out.append(scalar)
      }
    }
    return String(out)
  }
}
