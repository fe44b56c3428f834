/// `deploy/config.example.yml`: every setting with its standard, what it does and what to weigh.
public enum ExampleFile {
  public static var text: String {
    var lines = [
      "# Clipfeed's configuration: clipfeed serve --config FILE, or CLIPFEED_CONFIG=FILE for every command.",
      "# `clipfeed check-config FILE` says what is wrong with a file, and what counts in the end.",
      "#",
      "# Each key is also a variable of the environment (CLIPFEED_KEY, with _ for -) and, but for secrets, an option",
      "# (--key). An option counts more than the environment, the environment more than this file. A line without #",
      "# in front of its key is said; the others show what counts if nothing is.",
    ]
    for section in Setting.Section.allCases {
      lines += ["", "## \(section.rawValue)"]
      for setting in Setting.explained where setting.section == section {
        lines += [""] + wrapped(explanation(of: setting)).map { "# \($0)" }
        lines.append("#\(setting.name): \(setting.standard ?? "")".trimmingSpaces)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func explanation(of setting: Setting) -> String {
    var text = setting.summary + "."
    switch setting.form {
    case .text: break
    case .number(let range): text += " A number from \(range.lowerBound) to \(range.upperBound)."
    case .choice(let values): text += " One of: \(values.joined(separator: ", "))."
    }
    if setting.isSecret {
      text += " A secret: never an option, and only you should be able to read this file then."
    } else if !setting.hasOption {
      text += " Not an option."
    }
    return setting.advice.isEmpty ? text : text + " " + setting.advice
  }

  private static func wrapped(_ text: String, width: Int = 112) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
