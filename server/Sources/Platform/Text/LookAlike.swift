/// Letters that are taken for each other, after folding (`FoldedText`): the few of Unicode's list of
/// confusables (UTS #39) that people disguise words by. Each stands for a letter of the Latin script, `i` for
/// `l` too.
enum LookAlike {
  enum Kind { case latin, cyrillic, greek, digit, ornament }

  /// Nil: of a script in which nothing is disguised.
  static func kind(of scalar: Unicode.Scalar) -> Kind? {
    switch scalar.value {
    case 0x61...0x7A: .latin
    case 0x0400...0x052F: .cyrillic
    case 0x0370...0x03FF: .greek
    case 0x30...0x39, 0x24, 0x40: .digit
    default: ornaments[scalar] == nil ? nil : .ornament
    }
  }

  static func look(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    table[scalar] ?? ornaments[scalar] ?? scalar
  }

  private static let table = pairs(
    "l01345789@$", "ioieastbgas",
    "авекмнорстухіјѕһԁԛԝьгп", "abekmhopctyxijshdqwbrn",
    "αβγεηικμνορτυχω", "abyenikmvoptuxw")

  /// Small capitals and letters of phonetic script: no word is spelled with them.
  private static let ornaments = pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡ", "abcdefghijkimnoprstuvwyzag")

  private static func pairs(_ texts: String...) -> [Unicode.Scalar: Unicode.Scalar] {
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for index in stride(from: 0, to: texts.count, by: 2) {
      for (one, other) in zip(texts[index].unicodeScalars, texts[index + 1].unicodeScalars) {
        table[one] = other
      }
    }
    return table
  }
}
