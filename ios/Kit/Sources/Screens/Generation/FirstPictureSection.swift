internal import AppModel
internal import Contract
internal import CoreTransferable
internal import Foundation
internal import PhotosUI
internal import SwiftUI
internal import UIKit

/// The picture that a new clip begins with: chosen from the photo library, shown as it is cut, and left out.
struct FirstPictureSection: View {
  private let wish: WishModel
  private let jpeg: PictureJPEG
  @State private var picked: PhotosPickerItem?
  @State private var isLoading = false
  @State private var image: UIImage?

  init(_ wish: WishModel, jpeg: @escaping PictureJPEG) {
    self.wish = wish
    self.jpeg = jpeg
  }

  /// A picture in a shape.
  private struct Shown: Equatable {
    let id: String?
    let aspect: GenerationAspect
  }

  var body: some View {
    Section {
      if let image {
        Image(uiImage: image).resizable().scaledToFit()
          .frame(maxHeight: 160)
          .clipShape(RoundedRectangle(cornerRadius: 8))
          .accessibilityLabel("The picture it begins with")
      }
      PhotosPicker(selection: $picked, matching: .images) {
        Text(hasPicture ? "Choose another picture" : "Begin with a picture").frame(minHeight: 44)
      }
      if hasPicture {
        Button("Leave it out") { wish.picture.leaveOut() }.frame(minHeight: 44)
      }
      if isBusy {
        HStack(spacing: 8) {
          ProgressView()
          Text("Sending…")
        }
        .accessibilityElement(children: .combine)
      }
      if let failure = wish.picture.failure {
        Text(verbatim: failure.words).font(.footnote).foregroundStyle(.red)
      }
    } footer: {
      Text("Its middle is cut to the shape. Only you see it, and whoever makes the video.")
    }
    .disabled(isBusy || wish.form.isBusy)
    .task(id: Shown(id: wish.picture.id, aspect: wish.aspect)) { await wish.picture.look(as: wish.aspect) }
    .task(id: wish.picture.shown) { image = wish.picture.shown.flatMap { UIImage(data: $0) } }
    .onChange(of: picked) {
      guard let item = picked else { return }
      picked = nil
      Task { await load(item) }
    }
  }

  private var hasPicture: Bool { wish.picture.id != nil }
  private var isBusy: Bool { isLoading || wish.picture.isSending }

  private func load(_ item: PhotosPickerItem) async {
    isLoading = true
    let file = try? await item.loadTransferable(type: PickedPicture.self)
    var made: Data?
    if let file { made = await jpeg(file.data) }
    isLoading = false
    await wish.picture.put(made)
  }
}
