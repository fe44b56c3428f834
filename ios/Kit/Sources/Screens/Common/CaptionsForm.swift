internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI
internal import UniformTypeIdentifiers

/// The captions of one's own clip: adds some, and takes some away.
struct CaptionsForm: View {
  private let model: OwnCaptionsModel
  @State private var picksFile = false
  @State private var leaving: CaptionTrack?

  init(_ model: OwnCaptionsModel) { self.model = model }

  var body: some View {
    NavigationStack {
      Form {
        there
        adding
      }
      .navigationTitle("Captions")
      .navigationBarTitleDisplayMode(.inline)
      .toolbar {
        ToolbarItem(placement: .confirmationAction) {
          Button("Done") { model.end() }.disabled(model.form.isBusy)
        }
      }
      .refreshable { await model.load() }
    }
    .interactiveDismissDisabled(model.form.isBusy)
    .task { await model.load() }
    .fileImporter(isPresented: $picksFile, allowedContentTypes: Self.types) { result in
      guard let file = try? result.get() else { return }
      Task { await take(file) }
    }
    .confirmationDialog(
      "Remove these captions?",
      isPresented: Binding(get: { leaving != nil }, set: { if !$0 { leaving = nil } }),
      titleVisibility: .visible, presenting: leaving
    ) { track in
      Button("Remove \(track.label)", role: .destructive) { Task { await model.remove(track) } }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text("The file on your device stays, if you have it.")
    }
  }

  private var there: some View {
    Section {
      if let tracks = model.tracks {
        ForEach(tracks, id: \.language) { row($0) }
        if tracks.isEmpty { Text("No captions yet.").foregroundStyle(.secondary) }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    } header: {
      Text("For those who cannot hear it, or have the sound off. WebVTT or SRT, up to 256 KB.")
    }
  }

  private func row(_ track: CaptionTrack) -> some View {
    ActionRow {
      VStack(alignment: .leading) {
        Text(verbatim: track.label)
        if track.automatic { Text("automatic").font(.footnote).foregroundStyle(.secondary) }
      }
      .accessibilityElement(children: .combine)
    } action: {
      Button("Remove", role: .destructive) { leaving = track }
        .buttonStyle(.borderless)
        .disabled(model.removing != nil || model.form.isBusy)
        .accessibilityLabel(Text("Remove \(track.label)"))
    }
  }

  private var adding: some View {
    Section {
      VStack(alignment: .leading, spacing: 4) {
        Picker("Language of the captions", selection: language) {
          ForEach(model.languages, id: \.self) { Text(verbatim: model.name(of: $0)).tag($0) }
        }
        FaultLabel(model.form.faults[.language])
      }
      VStack(alignment: .leading, spacing: 4) {
        Button {
          picksFile = true
        } label: {
          if model.form[.file].isEmpty {
            Text("Choose a file")
          } else {
            Text(verbatim: model.form[.file]).lineLimit(2)
          }
        }
        .buttonStyle(.borderless)
        .frame(minHeight: 44)
        .accessibilityLabel(Text("Captions file"))
        .accessibilityValue(Text(verbatim: model.form[.file]))
        FaultLabel(model.form.faults[.file])
      }
      SubmitView("Add captions", busy: "Adding them…", model.form) { await model.add() }
    }
    .disabled(model.form.isBusy)
  }

  private var language: Binding<String> {
    Binding(get: { model.form[.language] }, set: { model.form[.language] = $0 })
  }

  /// Text besides: not every app says that what it has are captions.
  private static var types: [UTType] {
    OwnCaptionsModel.endings.compactMap { UTType(filenameExtension: $0) } + [.plainText]
  }

  /// Another app's file may be read between these two calls alone.
  private func take(_ file: URL) async {
    let isScoped = file.startAccessingSecurityScopedResource()
    defer { if isScoped { file.stopAccessingSecurityScopedResource() } }
    await model.choose(file)
  }
}

extension View {
  /// Shows the captions of a clip while somebody is at them.
  func captions(_ model: OwnCaptionsModel) -> some View {
    sheet(isPresented: Binding(get: { model.upload != nil }, set: { if !$0 { model.end() } })) {
      CaptionsForm(model)
    }
  }
}
