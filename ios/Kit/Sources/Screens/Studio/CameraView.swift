internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// The camera: the live picture, and everything over it.
struct CameraView: View {
  let model: StudioModel
  let finder: UIView
  @State private var tray: StudioTray?

  var body: some View {
    ZStack {
      FinderArea(model: model, finder: finder) { tray = nil }
      VStack(spacing: 12) {
        RecordedBar(model: model)
        header
        HStack {
          Spacer()
          if isCalm { StudioTools(model: model, tray: $tray) }
        }
        Spacer()
        if let tray, isCalm { StudioTrayView(model: model, tray: tray) }
        controls
        limits.opacity(isCalm ? 1 : 0).disabled(!isCalm)
      }
      .padding(.horizontal, 12)
      if let seconds = model.secondsLeft {
        Text("\(seconds)").font(.system(size: 120, weight: .bold)).monospacedDigit().shadow(radius: 8)
          .contentTransition(.numericText(countsDown: true))
          .accessibilityHidden(true)
      }
      if let panel = model.panel { ObstaclePanel(panel: panel, retry: model.retry) }
    }
    .onChange(of: tray) { _, opened in if opened == .looks { model.openLooks() } }
    .onChange(of: isCalm) { _, isCalm in if !isCalm { tray = nil } }
  }

  private var isCalm: Bool { model.stage == .ready }

  private var header: some View {
    HStack {
      Button {
        model.close()
      } label: {
        Image(systemName: "xmark").font(.title3).frame(width: 44, height: 44)
      }
      .accessibilityLabel("Close")
      Spacer()
      if model.sound == .denied {
        Label("No microphone: allow it in Settings", systemImage: "mic.slash").font(.footnote)
          .padding(.horizontal, 10).padding(.vertical, 6).background(.thinMaterial, in: Capsule())
      }
    }
  }

  private var controls: some View {
    HStack {
      Button {
        model.undo()
      } label: {
        Image(systemName: model.isUndoMarked ? "delete.backward.fill" : "delete.backward").font(.title2)
          .foregroundStyle(model.isUndoMarked ? Color.red : Color.white).frame(width: 56, height: 56)
      }
      .accessibilityLabel(model.isUndoMarked ? Text("Delete the last clip") : Text("Undo the last clip"))
      .opacity(model.canUndo ? 1 : 0).disabled(!model.canUndo)
      Spacer()
      ShutterButton(model: model)
      Spacer()
      Button {
        model.finish()
      } label: {
        Image(systemName: "checkmark.circle.fill").font(.largeTitle).frame(width: 56, height: 56)
      }
      .accessibilityLabel("Finish")
      .opacity(model.canFinish ? 1 : 0).disabled(!model.canFinish)
    }
    .frame(maxWidth: 420)
  }

  private var limits: some View {
    Picker(
      "Longest video",
      selection: Binding(get: { model.limitSeconds }, set: { model.choose(limit: $0) })
    ) {
      ForEach(StudioModel.limits, id: \.self) { seconds in
        Text("\(seconds) s").accessibilityLabel(Text("\(seconds) seconds")).tag(seconds)
      }
    }
    .pickerStyle(.segmented)
    .frame(maxWidth: 280)
    .padding(.bottom, 8)
  }
}

/// The live picture: a tap sets the focus, two fingers zoom.
private struct FinderArea: View {
  let model: StudioModel
  let finder: UIView
  let tapped: () -> Void

  var body: some View {
    GeometryReader { area in
      HostedView(view: finder)
        .contentShape(Rectangle())
        .gesture(
          SpatialTapGesture().onEnded { tap in
            tapped()
            model.setFocus(
              x: Double(tap.location.x), y: Double(tap.location.y), width: Double(area.size.width),
              height: Double(area.size.height))
          }
        )
        .simultaneousGesture(
          MagnifyGesture().onChanged { model.pinch(by: Double($0.magnification)) }
            .onEnded { _ in model.endPinch() }
        )
        .overlay(alignment: .topLeading) {
          if let focus = model.focus { FocusMarkView().id(focus.number).position(place(focus, area.size)) }
        }
    }
    .ignoresSafeArea()
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Finder")
    .accessibilityValue(Text(verbatim: model.zoom.text))
    .accessibilityAdjustableAction { direction in
      model.setZoom(model.zoom.factor * (direction == .increment ? 1.25 : 0.8))
    }
    .accessibilityAction(named: "Focus in the middle") {
      model.setFocus(x: 0.5, y: 0.5, width: 1, height: 1)
    }
  }

  private func place(_ focus: StudioModel.FocusMark, _ size: CGSize) -> CGPoint {
    CGPoint(x: CGFloat(focus.x) * size.width, y: CGFloat(focus.y) * size.height)
  }
}

private struct FocusMarkView: View {
  @State private var isSeen = true
  @Environment(\.accessibilityReduceMotion) private var reducesMotion

  var body: some View {
    RoundedRectangle(cornerRadius: 6).stroke(Color.yellow, lineWidth: 1.5)
      .frame(width: 72, height: 72)
      .opacity(isSeen ? 1 : 0)
      .allowsHitTesting(false)
      .task {
        try? await Task.sleep(for: .seconds(1))
        withAnimation(reducesMotion ? nil : .easeOut) { isSeen = false }
      }
  }
}

/// What has been recorded of what fits; the clip under way grows by itself.
private struct RecordedBar: View {
  let model: StudioModel

  var body: some View {
    TimelineView(.animation(minimumInterval: 0.05, paused: model.stage != .recording)) { _ in
      VStack(spacing: 4) {
        GeometryReader { area in bar(area.size.width) }.frame(height: 6)
        Text("\(seconds) s").font(.footnote).monospacedDigit().opacity(model.recordedShare() > 0 ? 1 : 0)
      }
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Recorded")
    .accessibilityValue(Text("\(seconds) of \(model.limitSeconds) seconds"))
  }

  private var seconds: String { model.recordedSeconds().formatted(.number.precision(.fractionLength(1))) }

  private func bar(_ width: CGFloat) -> some View {
    ZStack(alignment: .leading) {
      Capsule().fill(Color.white.opacity(0.3))
      Capsule().fill(Color.red).frame(width: width * CGFloat(model.recordedShare()))
      ForEach(model.marks) { mark in
        Rectangle().fill(mark.isMarked ? Color.yellow : Color.white)
          .frame(width: mark.isMarked ? width * CGFloat(mark.length) : 2)
          .padding(.leading, width * CGFloat(mark.isMarked ? mark.start : mark.start + mark.length))
      }
    }
    .clipShape(Capsule())
  }
}

/// What keeps the camera from recording, and the way out.
private struct ObstaclePanel: View {
  let panel: StudioModel.Panel
  let retry: () -> Void
  @Environment(\.openURL) private var openURL

  var body: some View {
    VStack(spacing: 12) {
      Text(LocalizedStringKey(panel.title)).font(.headline).accessibilityAddTraits(.isHeader)
      Text(LocalizedStringKey(panel.text)).multilineTextAlignment(.center)
      if panel.opensSettings {
        Button("Open Settings") {
          if let address = URL(string: UIApplication.openSettingsURLString) { openURL(address) }
        }
        .buttonStyle(.borderedProminent)
      }
      Button("Try again") { retry() }.frame(minHeight: 44)
    }
    .padding(20)
    .frame(maxWidth: 360)
    .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 20))
    .padding(24)
  }
}
