internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// The video before it is made: it plays, its part, cover and look are chosen, and then it is made.
struct ReviewView: View {
  let model: StudioModel
  let review: ReviewModel
  let player: UIView
  @State private var tool = Tool.part

  enum Tool: Hashable { case part, cover, look }

  var body: some View {
    ZStack {
      HostedView(view: player)
        .ignoresSafeArea()
        .contentShape(Rectangle())
        .onTapGesture { review.togglePlaying() }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Your video")
        .accessibilityAddTraits(.isButton)
        .accessibilityValue(review.isPlaying ? Text("Pause") : Text("Play"))
        .accessibilityAction { review.togglePlaying() }
      if !review.isPlaying, review.making == nil {
        Image(systemName: "play.fill").font(.system(size: 56)).shadow(radius: 8).allowsHitTesting(false)
          .accessibilityHidden(true)
      }
      VStack(spacing: 12) {
        header
        Spacer()
        if let trouble = review.trouble { notice(LocalizedStringKey(trouble)) }
        if review.isTooLong, tool == .part {
          notice("A clip lasts \(ReviewModel.longestSeconds) seconds at most.")
        }
        chosenTool
        tools
      }
      .padding(.horizontal, 12)
      .padding(.bottom, 8)
      .disabled(review.making != nil)
      .accessibilityHidden(review.making != nil)
      if let share = review.making { MakingPanel(share: share, cancel: review.cancelMaking) }
    }
    .onChange(of: tool) { _, chosen in if chosen == .look { model.openLooks() } }
  }

  private var header: some View {
    HStack {
      Button {
        review.back()
      } label: {
        Image(systemName: "chevron.backward").font(.title3).frame(width: 44, height: 44)
      }
      .accessibilityLabel("Back")
      Spacer()
      Button("Next") { review.finish() }
        .buttonStyle(.borderedProminent)
        .frame(minHeight: 44)
    }
  }

  @ViewBuilder private var chosenTool: some View {
    switch tool {
    case .part: TrimStrip(review: review)
    case .cover: CoverStrip(review: review)
    case .look: LookStrip(choice: review.look, pictures: model.lookPictures, choose: review.choose(_:))
    }
  }

  private var tools: some View {
    Picker("Edit", selection: $tool) {
      Text("Part").tag(Tool.part)
      Text("Cover").tag(Tool.cover)
      Text("Look").tag(Tool.look)
    }
    .pickerStyle(.segmented)
    .frame(maxWidth: 360)
  }

  private func notice(_ text: LocalizedStringKey) -> some View {
    Text(text).font(.footnote).multilineTextAlignment(.center).padding(10)
      .background(.thinMaterial, in: RoundedRectangle(cornerRadius: 12))
  }
}

/// While the video is made.
private struct MakingPanel: View {
  let share: Double
  let cancel: () -> Void

  var body: some View {
    VStack(spacing: 16) {
      ProgressView("Making your video…", value: share)
      Text("\(Int(min(max(share, 0), 1) * 100)) %").monospacedDigit().accessibilityHidden(true)
      Text("Keep the app open until it is ready.").font(.footnote).multilineTextAlignment(.center)
      Button("Cancel") { cancel() }.frame(minHeight: 44)
    }
    .padding(24)
    .frame(maxWidth: 320)
    .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 20))
    .padding(24)
    .accessibilityAddTraits(.isModal)
  }
}
