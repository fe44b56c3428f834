internal import AppModel
internal import Foundation
internal import SwiftUI

/// How many are still there. A picture alone: whoever shows it says it in words. Time runs as the text does.
struct StayingPicture: View {
  let curve: StayingCurve
  @ScaledMetric(relativeTo: .body) private var height: CGFloat = 140

  var body: some View {
    GeometryReader { place in
      ZStack {
        ForEach([0.25, 0.5, 0.75], id: \.self) { rule in
          line([CGPoint(x: 0, y: rule), CGPoint(x: 1, y: rule)], place.size)
            .stroke(Color.gray.opacity(0.3))
        }
        area(place.size).fill(Color.accentColor.opacity(0.22))
        line(points, place.size).stroke(Color.accentColor, lineWidth: 2.5)
        if let end = curve.end {
          line([CGPoint(x: end, y: 0), CGPoint(x: end, y: 1)], place.size).stroke(Color.primary)
        }
      }
    }
    .frame(height: height)
    .flipsForRightToLeftLayoutDirection(true)
  }

  private var points: [CGPoint] { curve.points.map { CGPoint(x: $0.x, y: $0.y) } }

  private func area(_ size: CGSize) -> Path {
    line([CGPoint(x: 0, y: 0)] + points + [CGPoint(x: 1, y: 0)], size)
  }

  /// Of shares of a picture that begins at the bottom.
  private func line(_ shares: [CGPoint], _ size: CGSize) -> Path {
    Path { path in
      for (number, share) in shares.enumerated() {
        let place = CGPoint(x: share.x * size.width, y: (1 - share.y) * size.height)
        if number == 0 { path.move(to: place) } else { path.addLine(to: place) }
      }
    }
  }
}

/// A bar for each day: as high as it was shown often, and views in it. A picture alone.
struct DaysPicture: View {
  let days: [InsightsFigures.Day]
  @ScaledMetric(relativeTo: .body) private var height: CGFloat = 100

  var body: some View {
    HStack(alignment: .bottom, spacing: 2) {
      ForEach(days, id: \.start) { day in
        ZStack(alignment: .bottom) {
          Rectangle().fill(Color.accentColor.opacity(0.3)).frame(height: height * CGFloat(day.shownHeight))
          Rectangle().fill(Color.accentColor).frame(height: height * CGFloat(day.viewsHeight))
        }
      }
    }
    .frame(height: height, alignment: .bottom)
  }
}
