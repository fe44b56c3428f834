internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// The picture that stands for the clip: chosen on a strip, and seen large.
struct CoverStrip: View {
  let review: ReviewModel
  @Environment(\.layoutDirection) private var direction

  private static let height: CGFloat = 56

  var body: some View {
    VStack(spacing: 8) {
      if let picture = UIImage(data: review.coverPicture ?? Data()) {
        Image(uiImage: picture).resizable().scaledToFit()
          .frame(maxHeight: 160)
          .clipShape(RoundedRectangle(cornerRadius: 8))
          .accessibilityHidden(true)
      }
      GeometryReader { area in strip(area.size.width) }.frame(height: Self.height)
    }
    .frame(maxWidth: 560)
  }

  private func strip(_ width: CGFloat) -> some View {
    ZStack(alignment: .leading) {
      Tiles(pictures: review.strip)
      RoundedRectangle(cornerRadius: 6).stroke(Color.white, lineWidth: 3).frame(width: 36)
        .padding(.leading, max(0, (width - 36) * CGFloat(review.coverShare)))
    }
    .contentShape(Rectangle())
    .clipShape(RoundedRectangle(cornerRadius: 6))
    .gesture(
      DragGesture(minimumDistance: 0).onChanged { drag in
        let share = Double(drag.location.x / max(1, width))
        review.chooseCover(atShare: direction == .rightToLeft ? 1 - share : share)
      }
    )
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Cover")
    .accessibilityValue(value)
    .accessibilityAdjustableAction { direction in review.stepCover(by: direction == .increment ? 1 : -1) }
  }

  private var value: Text {
    review.coverSeconds > 0
      ? Text("\(review.coverSeconds.formatted(.number.precision(.fractionLength(1)))) s")
      : Text("First picture")
  }
}
