internal import CoreTransferable
internal import Foundation
internal import UniformTypeIdentifiers

/// A video that the photo library hands over, as a copy of our own: the system takes its own away at once.
struct ImportedVideo: Transferable {
  let file: URL

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .movie) { received in
      let copy = FileManager.default.temporaryDirectory.appending(
        path: "\(UUID().uuidString).\(received.file.pathExtension)")
      try FileManager.default.copyItem(at: received.file, to: copy)
      return ImportedVideo(file: copy)
    }
  }
}
