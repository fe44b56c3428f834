public import AppModel
internal import Contract
public import CoreGraphics
internal import CoreTypes
internal import Foundation
public import SwiftUI
public import Transfer
internal import Upload

/// The picture of a moment of a video on this device, at most so many pixels wide and high.
public typealias UploadPictures = @Sendable (VideoMoment, Double) async -> CGImage?

/// A clip on its way: the choice of a video, what is said about it, and how far it is.
public struct UploadScreen: View {
  @Bindable private var model: UploadModel
  private let pictures: UploadPictures
  @State private var asksToCancel = false

  public init(_ model: UploadModel, pictures: @escaping UploadPictures) {
    self.model = model
    self.pictures = pictures
  }

  public var body: some View {
    Form {
      if let trouble = model.trouble { TroubleSection(trouble) }
      switch model.stage {
      case .choosing: UploadChooser(model, title: "Choose a video")
      case .waitingForFile: UploadChooser(model, title: "Choose the same file")
      case .trimming(let offer): TrimSection(model, offer, pictures)
      case .working:
        UploadPreview(model, pictures)
        UploadFormSections(model, pictures)
      case .published: PublishedSection(model)
      }
      if model.stage != .choosing, model.stage != .published { progress }
      if !model.waiting.isEmpty { waiting }
    }
    .edits(model.editor)
    .captions(model.captions)
    .scrollDismissesKeyboard(.interactively)
    .navigationTitle("New clip")
    .onAppear { model.isOpen = true }
    .onDisappear { model.isOpen = false }
    .task {
      while !Task.isCancelled {
        model.tick()
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
    .sensoryFeedback(.success, trigger: model.stage) { _, stage in stage == .published }
    .alert("Cancel this upload?", isPresented: $asksToCancel) {
      Button("Keep uploading", role: .cancel) {}
      Button("Cancel the upload", role: .destructive) { model.cancel() }
    } message: {
      Text("What has arrived is thrown away. The video on your device stays.")
    }
  }

  private var progress: some View {
    Section {
      UploadProgress(model)
      if model.actions.contains(.publish) {
        Button("Publish") { model.publish() }
          .bold()
      }
      if model.actions.contains(.signIn) { Button("Sign in") { model.signIn() } }
      if model.actions.contains(.retry) { Button("Try again") { model.retry() } }
      if model.actions.contains(.resume) { Button("Resume") { model.resume() } }
      if model.actions.contains(.pause) { Button("Pause") { model.pause() } }
      if model.actions.contains(.cancel) {
        Button("Cancel", role: .destructive) {
          if model.cancellingLosesBytes { asksToCancel = true } else { model.cancel() }
        }
      }
    } footer: {
      if model.isPublishRequested, model.stage == .working {
        Text("It’s published as soon as all of it has arrived. You can leave this screen.")
      }
    }
  }

  private var waiting: some View {
    Section("Up next") {
      ForEach(model.waiting) { upload in
        HStack {
          Text(verbatim: upload.name)
            .lineLimit(2)
          Spacer()
          Button("Remove", systemImage: "xmark.circle.fill", role: .destructive) { model.remove(upload.id) }
            .labelStyle(.iconOnly)
            .buttonStyle(.borderless)
            .frame(minWidth: 44, minHeight: 44)
        }
      }
    }
  }
}

/// What stands in the way, and what to do about it.
private struct TroubleSection: View {
  private let trouble: UploadTrouble

  init(_ trouble: UploadTrouble) { self.trouble = trouble }

  var body: some View {
    Section {
      VStack(alignment: .leading, spacing: 4) {
        Label {
          Text(verbatim: trouble.title.words)
            .font(.headline)
        } icon: {
          Image(systemName: "exclamationmark.triangle.fill")
            .foregroundStyle(.yellow)
            .accessibilityHidden(true)
        }
        Text(verbatim: trouble.advice.words)
          .foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
    }
  }
}

/// The end: the clip is there.
private struct PublishedSection: View {
  private let model: UploadModel

  init(_ model: UploadModel) { self.model = model }

  var body: some View {
    Section {
      Label("Published", systemImage: "checkmark.circle.fill")
        .font(.headline)
      Text(place)
        .foregroundStyle(.secondary)
    }
    Section {
      Button("Watch it") { Task { await model.watch() } }
        .bold()
      if let link = model.link { ShareLink("Share the link", item: link) }
      if model.canEdit {
        Button("Edit") { model.edit() }
        Button("Captions") { model.openCaptions() }
      }
      Button("Upload another") { model.startAgain() }
    }
  }

  private var place: LocalizedStringKey {
    switch model.visibility {
    case .public: "It’s on top of the feed."
    case .unlisted: "It isn’t listed anywhere. Anyone with the link can watch it."
    case .private: "Only you can see it."
    }
  }
}

/// How far it is, and what goes on.
struct UploadProgress: View {
  private let model: UploadModel

  init(_ model: UploadModel) { self.model = model }

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      ProgressView(value: model.share)
      Text(verbatim: line)
        .font(.subheadline)
        .foregroundStyle(.secondary)
        .monospacedDigit()
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Upload")
    .accessibilityValue(Text(verbatim: line))
    .accessibilityAddTraits(.updatesFrequently)
  }

  private var line: String { model.line.map(\.words).joined(separator: " · ") }
}
