internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// Pictures of the whole, and a handle at each end of the part. Time runs the way that people read.
struct TrimStrip: View {
  let review: ReviewModel
  @Environment(\.layoutDirection) private var direction
  /// Where the part began when a finger came onto it.
  @State private var gripped: Double?

  private static let height: CGFloat = 56
  private static let handle: CGFloat = 20
  /// Wider than it looks, as fingers are.
  private static let reach: CGFloat = 44

  var body: some View {
    VStack(spacing: 6) {
      GeometryReader { area in strip(area.size.width) }.frame(height: Self.height)
      Text("\(length) s").font(.footnote).monospacedDigit().accessibilityHidden(true)
    }
    .frame(maxWidth: 560)
  }

  private var length: String { text(review.endSeconds - review.startSeconds) }
  private func text(_ seconds: Double) -> String { seconds.formatted(.number.precision(.fractionLength(1))) }

  private func strip(_ width: CGFloat) -> some View {
    let from = width * CGFloat(review.startShare)
    let to = width * CGFloat(review.endShare)
    return ZStack(alignment: .leading) {
      Tiles(pictures: review.strip).frame(width: width, height: Self.height)
      Color.black.opacity(0.6).frame(width: max(0, from))
      Color.black.opacity(0.6).frame(width: max(0, width - to)).padding(.leading, to)
      RoundedRectangle(cornerRadius: 6).stroke(Color.yellow, lineWidth: 3)
        .contentShape(Rectangle())
        .frame(width: max(Self.handle, to - from)).padding(.leading, from)
        .gesture(whole(width))
        .accessibilityHidden(true)
      Rectangle().fill(Color.white).frame(width: 2)
        .padding(.leading, width * CGFloat(review.playheadShare)).accessibilityHidden(true)
      grip("Begin", review.startSeconds, at: from, review.stepStart(by:)) {
        review.moveStart(toShare: share($0, width))
      }
      grip("End", review.endSeconds, at: to, review.stepEnd(by:)) {
        review.moveEnd(toShare: share($0, width))
      }
    }
    .coordinateSpace(.named("strip"))
    .clipShape(RoundedRectangle(cornerRadius: 6))
  }

  private func grip(
    _ name: LocalizedStringKey, _ seconds: Double, at place: CGFloat, _ step: @escaping (Int) -> Void,
    _ move: @escaping (CGFloat) -> Void
  ) -> some View {
    Capsule().fill(Color.yellow).frame(width: 8, height: Self.height)
      .frame(width: Self.reach, height: Self.height)
      .contentShape(Rectangle())
      .padding(.leading, max(0, place - Self.reach / 2))
      .gesture(
        DragGesture(minimumDistance: 1, coordinateSpace: .named("strip"))
          .onChanged { move($0.location.x) }.onEnded { _ in review.endTrimming() }
      )
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(Text(name))
      .accessibilityValue(Text("\(text(seconds)) s"))
      .accessibilityAdjustableAction { direction in
        step(direction == .increment ? 1 : -1)
        review.endTrimming()
      }
  }

  private func whole(_ width: CGFloat) -> some Gesture {
    DragGesture(minimumDistance: 4, coordinateSpace: .named("strip"))
      .onChanged { drag in
        let begun = gripped ?? review.startShare
        gripped = begun
        let moved = Double(drag.translation.width / max(1, width))
        review.move(startToShare: begun + (direction == .rightToLeft ? -moved : moved))
      }
      .onEnded { _ in
        gripped = nil
        review.endTrimming()
      }
  }

  /// NB: a gesture counts from the left, whichever way people read.
  private func share(_ x: CGFloat, _ width: CGFloat) -> Double {
    let share = Double(x / max(1, width))
    return direction == .rightToLeft ? 1 - share : share
  }
}

/// Pictures side by side, each as wide as the others.
struct Tiles: View {
  let pictures: [Data]

  var body: some View {
    HStack(spacing: 0) {
      ForEach(pictures.indices, id: \.self) { index in
        Group {
          if let image = UIImage(data: pictures[index]) {
            Image(uiImage: image).resizable().scaledToFill()
          } else {
            Color.white.opacity(0.1)
          }
        }
        .frame(minWidth: 0, maxWidth: .infinity, minHeight: 0, maxHeight: .infinity)
        .clipped()
      }
    }
    .background(Color.white.opacity(0.1))
    .allowsHitTesting(false)
    .accessibilityHidden(true)
  }
}
