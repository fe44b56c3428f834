internal import AppModel
internal import Foundation
internal import SwiftUI

/// The record button. Who presses and who lets go, and when by the finger's own events; tap or hold is for
/// the core to tell.
struct ShutterButton: View {
  let model: StudioModel
  /// Goes back by itself when the system takes the touch away.
  @GestureState private var isDown = false
  @Environment(\.accessibilityReduceMotion) private var reducesMotion

  private var isRecording: Bool { model.stage == .recording || model.stage == .stopping }

  var body: some View {
    ZStack {
      Circle().stroke(Color.white, lineWidth: 5).frame(width: 84, height: 84)
      RoundedRectangle(cornerRadius: isRecording ? 8 : 34)
        .fill(Color.red)
        .frame(width: isRecording ? 34 : 68, height: isRecording ? 34 : 68)
    }
    .opacity(model.isShutterEnabled ? 1 : 0.4)
    .animation(reducesMotion ? nil : .snappy, value: isRecording)
    .contentShape(Circle())
    .gesture(
      DragGesture(minimumDistance: 0)
        .updating($isDown) { _, isDown, _ in isDown = true }
        .onChanged { model.press(at: $0.time) }
        .onEnded { model.release(at: $0.time) }
    )
    // A touch that was taken away has no event of an end; after one that ended, nothing is left to release.
    .onChange(of: isDown) { _, isDown in if !isDown { model.release(at: Date()) } }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(Text(LocalizedStringKey(model.shutterName)))
    .accessibilityAddTraits(.isButton)
    .accessibilityAction { model.tapShutter() }
  }
}
