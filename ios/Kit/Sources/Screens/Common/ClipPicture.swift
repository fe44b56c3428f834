internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// What stands for a clip where it does not play: blurred at once, then as it is.
struct ClipPicture: View {
  private let picture: ListPicture
  @State private var blurred: UIImage?

  init(_ picture: ListPicture) { self.picture = picture }

  var body: some View {
    Color.gray.opacity(0.25)
      .aspectRatio(9.0 / 16.0, contentMode: .fit)
      .overlay {
        if let blurred { Image(uiImage: blurred).resizable().scaledToFill() }
      }
      .overlay {
        AsyncImage(url: picture.url) { image in
          image.resizable().scaledToFill()
        } placeholder: {
          Color.clear
        }
      }
      .clipped()
      .accessibilityHidden(true)
      // Decoded once for each picture, not with each drawing of the list.
      .task(id: picture) { blurred = picture.blurred.flatMap { UIImage(data: $0) } }
  }
}
