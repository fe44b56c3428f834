public import Foundation
internal import Looks

/// What a person chose to see their clips through.
public struct LookChoice: Codable, Hashable, Sendable {
  public static let plain = LookChoice(look: 0, strength: 100)
  /// The names of all looks by number, each the key of a text.
  public static let names = [
    "Plain", "Clear", "Vivid", "Golden", "Dawn", "Dusk", "Frost", "Forest", "Harbour", "Desert", "Faded",
    "Film",
    "Berry", "Mint", "Silver", "Noir", "Sepia", "Moon",
  ]

  public let look: Int
  /// Per cent.
  public let strength: Int

  /// What is no look is the plain one; strengths are brought into their range.
  public init(look: Int, strength: Int) {
    self.look = Self.names.indices.contains(look) ? look : 0
    self.strength = min(max(strength, 0), 100)
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      look: try box.decode(Int.self, forKey: .look), strength: try box.decode(Int.self, forKey: .strength))
  }

  public var name: String { Self.names[look] }
  /// Whether it changes anything at all.
  public var isPlain: Bool { look == 0 || strength == 0 }
}

/// A look as the table that Core Image's colour cube takes, and a texture of three dimensions with floats.
///
/// 33 steps a side, red fastest, then green, then blue; four floats in 0…1 each (red, green, blue, opacity)
/// in the byte order of the device. Opacity is 1 everywhere, so colours multiplied by it are the same
/// numbers. Colours are as cameras and screens encode them (gamma): the filter has to work without colour
/// management.
public struct LookCube: Equatable, Sendable {
  public static let edge = LookTable.edge
  public let choice: LookChoice
  public let floats: Data

  /// `nil` where nothing would change.
  public init?(_ choice: LookChoice) {
    guard !choice.isPlain, let look = Look(rawValue: Int32(choice.look)) else { return nil }
    self.choice = choice
    let words = LookTable(look, strength: Int32(choice.strength)).words
    let full = Float(Colour.white)
    let numbers = words.map { Float($0) / full }
    floats = numbers.withUnsafeBytes { Data($0) }
  }

  public static func == (left: LookCube, right: LookCube) -> Bool { left.choice == right.choice }
}
