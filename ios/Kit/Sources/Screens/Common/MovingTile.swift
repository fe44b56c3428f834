internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// A tile that moves while a finger holds it.
struct MovingTileStyle: ButtonStyle {
  private let preview: ClipPreview
  private let id: String
  private let press: @MainActor () -> Void

  /// `press` tells the preview of the clip.
  init(_ preview: ClipPreview, _ id: String, press: @escaping @MainActor () -> Void) {
    self.preview = preview
    self.id = id
    self.press = press
  }

  func makeBody(configuration: Configuration) -> some View {
    // NB: no gesture of our own. One would take the finger from the list, which then does not scroll; the
    // button gives it up by itself where the list does.
    configuration.label
      .opacity(configuration.isPressed ? 0.8 : 1)
      .onChange(of: configuration.isPressed) { _, isPressed in
        if isPressed { press() } else { preview.release(id) }
      }
      .onDisappear { preview.release(id) }
  }
}

/// What moves over a tile's picture, while it does.
struct MovingPicture: View {
  private let preview: ClipPreview
  private let id: String

  init(_ preview: ClipPreview, _ id: String) {
    self.preview = preview
    self.id = id
  }

  var body: some View {
    ZStack {
      if preview.moving == id, let sheet = preview.sheet { MovingSheet(preview: preview, sheet: sheet) }
    }
    .allowsHitTesting(false)
    .accessibilityHidden(true)
  }
}

/// One picture of a sheet after the other, as much of its middle as fits.
private struct MovingSheet: View {
  let preview: ClipPreview
  let sheet: ClipPreview.Sheet
  @State private var file: UIImage?

  var body: some View {
    GeometryReader { room in
      if let file, let place = preview.place {
        let width = Double(room.size.width)
        let height = Double(room.size.height)
        let scale = max(width / Double(max(1, place.width)), height / Double(max(1, place.height)))
        let left = (width - Double(place.width) * scale) / 2
        let top = (height - Double(place.height) * scale) / 2
        Color.clear
          .overlay(alignment: .topLeading) {
            Image(uiImage: file)
              .resizable()
              .frame(width: Double(sheet.width) * scale, height: Double(sheet.height) * scale)
              .offset(x: left - Double(place.x) * scale, y: top - Double(place.y) * scale)
          }
          .clipped()
      }
    }
    // Places in a picture are not mirrored.
    .environment(\.layoutDirection, .leftToRight)
    // Decoded once, not with each picture.
    .task(id: sheet.url) { file = UIImage(data: sheet.data) }
  }
}
