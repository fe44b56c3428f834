internal import AppModel
internal import CoreTransferable
internal import Foundation
internal import PhotosUI
internal import SwiftUI
internal import UniformTypeIdentifiers

/// A video of the photo library, or a file.
struct UploadChooser: View {
  private let model: UploadModel
  private let title: LocalizedStringKey
  @State private var picked: PhotosPickerItem?
  @State private var isLoading = false
  @State private var picksFile = false

  init(_ model: UploadModel, title: LocalizedStringKey) {
    self.model = model
    self.title = title
  }

  var body: some View {
    Section {
      // NB: as it is. What the system would make of it first takes long, and is made smaller here anyway.
      PhotosPicker(selection: $picked, matching: .videos, preferredItemEncoding: .current) {
        Label(title, systemImage: "photo.on.rectangle")
      }
      Button("Choose from Files", systemImage: "folder") { picksFile = true }
      if isLoading || model.isTaking {
        HStack(spacing: 8) {
          ProgressView()
          Text("Getting the video…")
        }
        .accessibilityElement(children: .combine)
      }
    } footer: {
      Text("Up to 60 seconds and 50 MB; of a longer video you choose a part.")
    }
    .disabled(isLoading || model.isTaking)
    .onChange(of: picked) {
      guard let item = picked else { return }
      picked = nil
      Task { await load(item) }
    }
    .fileImporter(isPresented: $picksFile, allowedContentTypes: [.movie, .video]) { result in
      guard let file = try? result.get() else { return }
      Task { await take(file) }
    }
  }

  private func load(_ item: PhotosPickerItem) async {
    isLoading = true
    defer { isLoading = false }
    guard let video = try? await item.loadTransferable(type: PickedVideo.self) else {
      return model.couldNotChoose()
    }
    await model.choose(video.file, name: video.name, moves: true)
  }

  /// Another app's file may be read between these two calls alone.
  private func take(_ file: URL) async {
    let isScoped = file.startAccessingSecurityScopedResource()
    defer { if isScoped { file.stopAccessingSecurityScopedResource() } }
    await model.choose(file, name: file.lastPathComponent)
  }
}

/// A video that the photo library hands over, as a file that stays: its own goes when this returns.
private struct PickedVideo: Transferable {
  let file: URL
  let name: String

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .movie) { received in
      let name = received.file.lastPathComponent
      let file = FileManager.default.temporaryDirectory
        .appending(path: "picked-\(UUID().uuidString).\(received.file.pathExtension)")
      try FileManager.default.copyItem(at: received.file, to: file)
      return PickedVideo(file: file, name: name)
    }
  }
}
