public import AppModel
public import SwiftUI
public import UIKit

/// The record screen, and the review that follows. It draws `StudioModel` and calls it for each tap; the live
/// picture and the player are views that it is handed.
public struct StudioScreen: View {
  private let model: StudioModel
  private let finder: UIView
  private let player: UIView
  @State private var activity = ActivityWatch()

  public init(_ model: StudioModel, finder: UIView, player: UIView) {
    self.model = model
    self.finder = finder
    self.player = player
  }

  public var body: some View {
    ZStack {
      Color.black.ignoresSafeArea()
      if let review = model.review {
        ReviewView(model: model, review: review, player: player)
      } else {
        CameraView(model: model, finder: finder)
        if model.stage == .reviewing { ProgressView() }
      }
      if let copying = model.copying { CopyingPanel(copying: copying, cancel: model.cancelImport) }
    }
    .foregroundStyle(.white)
    .preferredColorScheme(.dark)
    .statusBarHidden()
    .persistentSystemOverlays(.hidden)
    .confirmationDialog("Keep your clips?", isPresented: asksDiscard, titleVisibility: .visible) {
      Button("Keep clips") { model.keepClips() }
      Button("Discard clips", role: .destructive) { model.discardClips() }
      Button("Stay here", role: .cancel) { model.stay() }
    } message: {
      Text("They can wait here, on this device, until you open the camera again.")
    }
    .sensoryFeedback(.impact, trigger: model.ticks)
    .sensoryFeedback(.start, trigger: model.edges)
    .onAppear {
      activity.begin { model.setActive($0) }
      model.open()
    }
    .onChange(of: model.keepsAwake, initial: true) { _, isAwake in
      UIApplication.shared.isIdleTimerDisabled = isAwake
    }
    .onDisappear {
      activity.end()
      UIApplication.shared.isIdleTimerDisabled = false
    }
    .accessibilityAction(.escape) { model.close() }
  }

  private var asksDiscard: Binding<Bool> {
    Binding(get: { model.asksDiscard }, set: { if !$0 { model.stay() } })
  }
}

/// A view of UIKit's that somebody else holds and fills.
struct HostedView: UIViewRepresentable {
  let view: UIView

  func makeUIView(context: Context) -> UIView { view }
  func updateUIView(_ uiView: UIView, context: Context) {}
}

/// While videos of the photo library come: from iCloud that takes long.
private struct CopyingPanel: View {
  let copying: (done: Int, of: Int)
  let cancel: () -> Void

  var body: some View {
    VStack(spacing: 16) {
      ProgressView("Copying videos", value: Double(copying.done), total: Double(max(1, copying.of)))
      Text("\(copying.done) of \(copying.of)").font(.footnote).monospacedDigit()
      Button("Cancel") { cancel() }.frame(minHeight: 44)
    }
    .padding(24)
    .frame(maxWidth: 320)
    .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 20))
    .padding(24)
    .accessibilityAddTraits(.isModal)
  }
}
