internal import AppModel
internal import PhotosUI
internal import SwiftUI

/// Choices that open over the record button.
enum StudioTray: Hashable {
  case speed
  case timer
  case looks
}

/// The column of tools beside the picture.
struct StudioTools: View {
  let model: StudioModel
  @Binding var tray: StudioTray?
  @State private var picks = false
  @State private var picked: [PhotosPickerItem] = []

  var body: some View {
    VStack(spacing: 4) {
      if model.canFlip {
        tool("Flip", "arrow.triangle.2.circlepath.camera") { model.flip() }
          .accessibilityValue(model.isFront ? Text("Front camera") : Text("Back camera"))
      }
      if model.hasTorch {
        tool("Light", model.isTorchOn ? "bolt.fill" : "bolt.slash") { model.toggleTorch() }
          .accessibilityValue(model.isTorchOn ? Text("On") : Text("Off"))
      }
      tool("Speed", "speedometer") { open(.speed) }
      tool("Timer", "timer") { open(.timer) }
      tool("Looks", "camera.filters") { open(.looks) }
      if model.sound != .denied {
        tool("Sound", model.sound == .on ? "mic" : "mic.slash") { model.toggleSound() }
          .accessibilityValue(model.sound == .on ? Text("On") : Text("Off"))
      }
      if !model.frameRates.isEmpty { frameRate }
      tool("Library", "photo.on.rectangle") { picks = true }
    }
    .padding(.vertical, 6)
    .background(.ultraThinMaterial, in: Capsule())
    .photosPicker(
      isPresented: $picks, selection: $picked, maxSelectionCount: StudioModel.mostImports,
      selectionBehavior: .ordered, matching: .videos, preferredItemEncoding: .current
    )
    .onChange(of: picked) { _, items in
      guard !items.isEmpty else { return }
      picked = []
      model.importVideos(
        items.map { item in { try await item.loadTransferable(type: ImportedVideo.self)?.file } })
    }
  }

  private func open(_ opened: StudioTray) { tray = tray == opened ? nil : opened }

  private var frameRate: some View {
    Menu {
      Picker(
        "Frame rate",
        selection: Binding(get: { model.frameRate }, set: { model.choose(frameRate: $0) })
      ) {
        ForEach(model.frameRates, id: \.self) { rate in Text("\(rate) per second").tag(rate) }
      }
    } label: {
      Text(verbatim: "\(model.frameRate)").font(.footnote).bold().frame(width: 48, height: 44)
    }
    .accessibilityLabel("Frame rate")
    .accessibilityValue(Text("\(model.frameRate) per second"))
  }

  private func tool(_ name: LocalizedStringKey, _ symbol: String, _ action: @escaping () -> Void)
    -> some View
  {
    Button {
      action()
    } label: {
      Image(systemName: symbol).font(.title3).frame(width: 48, height: 44)
    }
    .accessibilityLabel(Text(name))
  }
}

/// One tray: speeds, countdowns, or looks.
struct StudioTrayView: View {
  let model: StudioModel
  let tray: StudioTray

  var body: some View {
    switch tray {
    case .speed:
      choices("Speed", StudioModel.speeds, model.speed, model.choose(speed:)) { percent in
        Text(verbatim: "\((Double(percent) / 100).formatted())×")
      }
    case .timer:
      choices("Countdown", StudioModel.countdowns, model.countdown, model.choose(countdown:)) { seconds in
        seconds == 0
          ? Text("Off").accessibilityLabel(Text("No countdown"))
          : Text("\(seconds) s").accessibilityLabel(Text("\(seconds) seconds"))
      }
    case .looks: LookStrip(choice: model.look, pictures: model.lookPictures, choose: model.choose(_:))
    }
  }

  private func choices(
    _ name: LocalizedStringKey, _ values: [Int], _ chosen: Int, _ choose: @escaping (Int) -> Void,
    _ label: @escaping (Int) -> Text
  ) -> some View {
    Picker(name, selection: Binding(get: { chosen }, set: { choose($0) })) {
      ForEach(values, id: \.self) { value in label(value).tag(value) }
    }
    .pickerStyle(.segmented)
    .frame(maxWidth: 360)
  }
}
