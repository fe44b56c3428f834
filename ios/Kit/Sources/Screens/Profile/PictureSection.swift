internal import AppModel
internal import Contract
internal import CoreTransferable
internal import Foundation
internal import PhotosUI
internal import SwiftUI
internal import UniformTypeIdentifiers

/// One's own picture: chosen from the photo library, and removed.
struct PictureSection: View {
  private let model: ProfileEditModel
  private let jpeg: PictureJPEG
  @State private var picked: PhotosPickerItem?
  @State private var isLoading = false

  init(_ model: ProfileEditModel, jpeg: @escaping PictureJPEG) {
    self.model = model
    self.jpeg = jpeg
  }

  var body: some View {
    Section {
      HStack(spacing: 16) {
        if let author = model.profile?.author { FaceDisc(author, side: 84) }
        PhotosPicker(selection: $picked, matching: .images) {
          Text(hasPicture ? "Change the picture" : "Add a picture").frame(minHeight: 44)
        }
      }
      if hasPicture {
        Button("Remove the picture", role: .destructive) { Task { await model.removePicture() } }
      }
      if isBusy {
        HStack(spacing: 8) {
          ProgressView()
          Text("Saving…")
        }
        .accessibilityElement(children: .combine)
      }
      if case .failed(let why) = model.picture {
        Text(verbatim: why.words).font(.footnote).foregroundStyle(.red)
      }
    } footer: {
      Text("Others see the square in its middle, and nothing of its place and day.")
    }
    .disabled(isBusy)
    .onChange(of: picked) {
      guard let item = picked else { return }
      picked = nil
      Task { await load(item) }
    }
  }

  private var hasPicture: Bool { model.profile?.author.picture != nil }
  private var isBusy: Bool { isLoading || model.picture == .saving }

  private func load(_ item: PhotosPickerItem) async {
    isLoading = true
    let file = try? await item.loadTransferable(type: PickedPicture.self)
    var made: Data?
    if let file { made = await jpeg(file.data) }
    isLoading = false
    await model.putPicture(made)
  }
}

/// A picture that the photo library hands over: its file goes when this returns.
struct PickedPicture: Transferable {
  let data: Data

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .image) { received in
      PickedPicture(data: try Data(contentsOf: received.file))
    }
  }
}
