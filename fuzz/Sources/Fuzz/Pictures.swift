@testable internal import Profiles

/// A picture that somebody sends. What is kept of it is a picture of the same kind and size, in which nothing
/// else is left to be found.
func readPicture(_ bytes: [UInt8]) {
  guard let picture = try? PictureFile(bytes) else { return }
  require(picture.bytes.count <= bytes.count + 64, "\(picture.bytes.count)")
  let again = try? PictureFile(picture.bytes)
  require(again?.bytes == picture.bytes)
  require(again?.width == picture.width && again?.height == picture.height && again?.turn == .upright)
}
