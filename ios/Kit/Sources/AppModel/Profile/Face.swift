public import Contract
public import Foundation

/// Somebody as a disc: a picture, and a letter until it has come, or where there is none.
public struct Face: Equatable, Hashable, Sendable {
  public let letter: String
  private let address: String?
  private let largeAddress: String?

  public init(_ author: Author) {
    letter = author.name.unicodeScalars.first.map { String($0).uppercased() } ?? ""
    address = author.picture?.smallUrl
    largeAddress = author.picture?.largeUrl
  }

  /// `side`: points in which it is shown; `base`: the instance.
  public func url(side: Double, base: URL?) -> URL? {
    // The sharpest screens have three pixels a point; nobody sees the last half of one.
    let wanted = side * 2.5 > Double(AuthorPicture.smallSide) ? largeAddress : address
    guard let wanted, let base else { return nil }
    return URL(string: wanted, relativeTo: base)?.absoluteURL
  }
}
