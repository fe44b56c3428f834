internal import Contract
public import Foundation
public import Platform

/// The kinds of pictures that are taken. A file name and a media type say nothing.
public enum PictureKind: String, Sendable, CaseIterable { case jpeg, png, webp }

/// What is drawn of a picture.
public struct PortraitOrder: Sendable {
  /// The picture: of this kind, and of the pixels that were counted.
  public let file: URL
  public let kind: PictureKind
  public let turn: PictureTurn
  /// Of the picture as it is once it is turned.
  public let square: PictureSquare

  init(_ file: URL, _ picture: PictureFile, _ crop: PictureCrop) {
    self.file = file
    kind = picture.kind
    turn = picture.turn
    let (width, height) = picture.upright
    square = PictureSquare(crop, width: width, height: height)
  }
}

/// A picture of somebody, made anew.
public struct Portrait: Sendable {
  /// JPEGs of `AuthorPicture.largeSide` and `.smallSide` pixels a side, with nothing in them but the picture.
  public let large: URL
  public let small: URL
  /// The mean of its pixels: six hexadecimal digits.
  public let color: String

  public init(large: URL, small: URL, color: String) {
    self.large = large
    self.small = small
    self.color = color
  }
}

/// What makes pictures of people.
///
/// Obligations of an implementation: it reads no file but the one it is given, decodes it as its kind and as
/// nothing else, opens no address, writes only into `folder`, and ends in bounded time with bounded memory.
/// What is transparent comes out white. Throws `picture_unreadable` for a picture that cannot be decoded, and
/// `unavailable` where nothing can be drawn.
public protocol PortraitDrawing: Sendable {
  func draw(_ order: PortraitOrder, in folder: URL) async throws -> Portrait
}

/// Where pictures of people are kept. In a transaction of the caller; each throws `author_not_found`.
public protocol PortraitKeeping: Sendable {
  /// In the place of the one before. `color` as of `Portrait`.
  func setPicture(
    of id: String, color: String, large: BlobName, small: BlobName, in transaction: any Transaction
  ) throws
  /// Where there is none, nothing happens.
  func removePicture(of id: String, in transaction: any Transaction) throws
}
