internal import AppModel
internal import Contract
internal import CoreGraphics
internal import CoreTypes
internal import Foundation
internal import SwiftUI
internal import Transfer

/// The file on its way.
struct UploadPreview: View {
  private let model: UploadModel
  private let pictures: UploadPictures

  init(_ model: UploadModel, _ pictures: @escaping UploadPictures) {
    self.model = model
    self.pictures = pictures
  }

  var body: some View {
    Section {
      HStack(spacing: 12) {
        MomentPicture(moment, side: 160, pictures)
          .frame(width: 56, height: 96)
        VStack(alignment: .leading, spacing: 4) {
          Text(verbatim: model.shown?.name ?? "")
            .font(.headline)
            .lineLimit(2)
          Text(verbatim: model.facts.map(\.words).joined(separator: " · "))
            .font(.subheadline)
            .foregroundStyle(.secondary)
        }
      }
      .accessibilityElement(children: .combine)
    }
  }

  private var moment: VideoMoment? {
    model.shown?.file.map { VideoMoment(file: $0, time: Milliseconds(Int64(model.form.coverMs ?? 0))) }
  }
}

/// What is said about a clip.
struct UploadFormSections: View {
  @Bindable private var model: UploadModel
  private let pictures: UploadPictures

  init(_ model: UploadModel, _ pictures: @escaping UploadPictures) {
    self.model = model
    self.pictures = pictures
  }

  var body: some View {
    ClipFields($model.form)
    if let file = model.shown?.file, let duration = model.shown?.duration, model.isOwn {
      Section("Cover") { UploadCover(model, file, duration, pictures) }
    }
  }
}

/// Pictures of the clip, one of which stands for it.
struct UploadCover: View {
  private static let count = 8
  @Bindable private var model: UploadModel
  private let file: URL
  private let duration: Milliseconds
  private let pictures: UploadPictures

  init(_ model: UploadModel, _ file: URL, _ duration: Milliseconds, _ pictures: @escaping UploadPictures) {
    self.model = model
    self.file = file
    self.duration = duration
    self.pictures = pictures
  }

  var body: some View {
    ScrollView(.horizontal) {
      HStack(spacing: 8) {
        ForEach(times, id: \.self) { time in
          CoverButton(time: time, isChosen: time == chosen) {
            model.form.coverMs = time
            model.settle()
          } label: {
            MomentPicture(VideoMoment(file: file, time: Milliseconds(Int64(time))), side: 240, pictures)
              .frame(width: 72, height: 128)
          }
        }
      }
    }
    .scrollIndicators(.hidden)
  }

  private var times: [Int] {
    let whole = Int(clamping: min(duration, Milliseconds(60_500)).rawValue)
    return (0..<Self.count).map { whole * $0 / Self.count }
  }

  /// The nearest of the strip; nobody has chosen one yet: the first.
  private var chosen: Int? {
    let wanted = model.form.coverMs ?? 0
    return times.min { abs($0 - wanted) < abs($1 - wanted) }
  }
}

/// One picture of a video, once it is there.
struct MomentPicture: View {
  private let moment: VideoMoment?
  private let side: Double
  private let pictures: UploadPictures
  @State private var picture: CGImage?

  init(_ moment: VideoMoment?, side: Double, _ pictures: @escaping UploadPictures) {
    self.moment = moment
    self.side = side
    self.pictures = pictures
  }

  var body: some View {
    Color.gray.opacity(0.2)
      .overlay {
        if let picture {
          Image(decorative: picture, scale: 1)
            .resizable()
            .scaledToFill()
        }
      }
      .clipShape(RoundedRectangle(cornerRadius: 8))
      .task(id: moment) {
        guard let moment else { return }
        let next = await pictures(moment, side)
        if !Task.isCancelled { picture = next ?? picture }
      }
  }
}
