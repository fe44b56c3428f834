internal import AppModel
internal import CoreTypes
internal import Foundation
internal import SwiftUI
internal import Transfer

/// The part of a video that is too long or too large: two ends to move, and what comes of it.
struct TrimSection: View {
  private let model: UploadModel
  private let pictures: UploadPictures
  @State private var trim: TrimModel

  init(_ model: UploadModel, _ offer: TrimOffer, _ pictures: @escaping UploadPictures) {
    self.model = model
    self.pictures = pictures
    _trim = State(initialValue: TrimModel(offer))
  }

  var body: some View {
    Section {
      HStack {
        edge(trim.part.lowerBound)
        Spacer()
        edge(trim.part.upperBound)
      }
      TrimBar(trim)
        .frame(height: 56)
      LabeledContent("Length", value: length)
      if !trim.fits {
        Text("This part is still too large. Make it shorter.")
          .foregroundStyle(.red)
      }
    } header: {
      Text("Choose a part")
    } footer: {
      Text("A clip lasts 60 seconds at most, and a file can have 50 MB.")
    }
    Section {
      Button("Use this part") { model.useTrim(trim.part) }
        .bold()
        .disabled(!trim.fits)
      Button("Don’t upload it", role: .destructive) { model.cancel() }
    }
  }

  private func edge(_ time: Milliseconds) -> some View {
    MomentPicture(VideoMoment(file: trim.offer.file, time: time), side: 240, pictures)
      .frame(width: 81, height: 144)
      .accessibilityHidden(true)
  }

  private var length: String {
    Duration.milliseconds(trim.length.rawValue).formatted(.time(pattern: .minuteSecond))
  }
}

/// The whole video as a bar, the chosen part in it, and a handle at each end.
private struct TrimBar: View {
  private static let handle = 44.0
  private let trim: TrimModel
  /// Whether the finger has the start, or the end.
  @State private var held: Bool?

  init(_ trim: TrimModel) { self.trim = trim }

  var body: some View {
    GeometryReader { space in
      let width = max(1, space.size.width - 2 * Self.handle)
      let (from, to) = (trim.shares.lowerBound * width, trim.shares.upperBound * width)
      ZStack(alignment: .leading) {
        Capsule()
          .fill(Color.gray.opacity(0.3))
          .frame(height: 8)
          .padding(.horizontal, Self.handle)
        Capsule()
          .fill(Color.accentColor)
          .frame(width: max(8, to - from), height: 8)
          .offset(x: Self.handle + from)
        grip
          .offset(x: from)
          .accessibilityLabel("Start of the part")
          .accessibilityValue(Text(verbatim: time(trim.part.lowerBound)))
          .accessibilityAdjustableAction { trim.stepStart($0 == .increment ? 1 : -1) }
        grip
          .offset(x: Self.handle + to)
          .accessibilityLabel("End of the part")
          .accessibilityValue(Text(verbatim: time(trim.part.upperBound)))
          .accessibilityAdjustableAction { trim.stepEnd($0 == .increment ? 1 : -1) }
      }
      .frame(maxHeight: .infinity)
      .contentShape(Rectangle())
      .gesture(
        DragGesture(minimumDistance: 0)
          .onChanged { drag($0.startLocation.x, $0.location.x, width) }
          .onEnded { _ in held = nil })
    }
    // Laid out one way, and turned as a whole: time goes the way that the language reads.
    .environment(\.layoutDirection, .leftToRight)
    .flipsForRightToLeftLayoutDirection(true)
  }

  private var grip: some View {
    RoundedRectangle(cornerRadius: 6)
      .fill(Color.accentColor)
      .frame(width: 14, height: 44)
      .frame(width: Self.handle, height: Self.handle)
      .contentShape(Rectangle())
  }

  /// The nearest end follows the finger. NB: the bar has the gesture, since a handle that moves would move
  /// the place by which it is measured.
  private func drag(_ begin: Double, _ now: Double, _ width: Double) {
    let (first, share) = ((begin - Self.handle) / width, (now - Self.handle) / width)
    let isStart = held ?? (abs(first - trim.shares.lowerBound) < abs(first - trim.shares.upperBound))
    held = isStart
    if isStart { trim.moveStart(to: share) } else { trim.moveEnd(to: share) }
  }

  private func time(_ time: Milliseconds) -> String {
    Duration.milliseconds(time.rawValue).formatted(.time(pattern: .minuteSecond))
  }
}
