internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI
internal import Transfer
internal import UIKit

/// What is said about a clip, and who sees it: of one on its way, and of one that is there.
struct ClipFields: View {
  @Binding private var form: UploadForm

  init(_ form: Binding<UploadForm>) { _form = form }

  var body: some View {
    Section {
      TextField("Caption", text: $form.caption, prompt: Text("Say something about it"), axis: .vertical)
        .lineLimit(1...5)
      TextField("Tags", text: $form.tags, prompt: Text("dawn, harbour, bicycle"))
        .textInputAutocapitalization(.never)
        .autocorrectionDisabled()
    } footer: {
      if form.fits {
        if form.charactersLeft <= 50 { Text("\(form.charactersLeft) characters left") }
      } else {
        Text("The caption is too long. It has 300 characters at most.")
          .foregroundStyle(.red)
      }
    }
    Section("Who can see it") {
      Picker("Who can see it", selection: $form.visibility) {
        Text("Everyone, in the feed").tag(Contract.Visibility.public)
        Text("Anyone with the link").tag(Contract.Visibility.unlisted)
        Text("Only you").tag(Contract.Visibility.private)
      }
      .pickerStyle(.inline)
      .labelsHidden()
    }
    Section {
      Toggle(
        "For adults",
        isOn: Binding(get: { form.forAdults ?? false }, set: { form.forAdults = $0 }))
    } footer: {
      Text("Hidden in restricted mode.")
    }
  }
}

/// Says something about a clip that is there, or something else than before.
struct ClipForm: View {
  @Bindable private var editor: ClipEditor
  private let title: LocalizedStringKey
  private let action: LocalizedStringKey

  init(_ editor: ClipEditor, title: LocalizedStringKey, action: LocalizedStringKey) {
    self.editor = editor
    self.title = title
    self.action = action
  }

  var body: some View {
    NavigationStack {
      Form {
        if let failure = editor.failure {
          Section { Text(verbatim: failure.words).foregroundStyle(.red) }
        }
        ClipFields($editor.form)
        if let sheet = editor.covers {
          Section("Cover") { ClipCovers(editor, sheet) }
        }
      }
      .navigationTitle(title)
      .navigationBarTitleDisplayMode(.inline)
      .toolbar {
        ToolbarItem(placement: .cancellationAction) {
          Button("Cancel", role: .cancel) { editor.cancel() }.disabled(editor.isSaving)
        }
        ToolbarItem(placement: .confirmationAction) {
          Button(action) { Task { await editor.save() } }.disabled(editor.isSaving || !editor.form.fits)
        }
      }
    }
    .interactiveDismissDisabled(editor.isSaving)
    .task { await editor.loadCovers() }
  }
}

/// Pictures of the clip, one of which stands for it.
private struct ClipCovers: View {
  private static let height = 128.0
  @Bindable private var editor: ClipEditor
  private let sheet: CoverSheet
  @State private var file: UIImage?

  init(_ editor: ClipEditor, _ sheet: CoverSheet) {
    self.editor = editor
    self.sheet = sheet
  }

  var body: some View {
    ScrollView(.horizontal) {
      HStack(spacing: 8) {
        ForEach(sheet.pictures) { picture in
          CoverButton(time: picture.time, isChosen: picture.time == editor.chosenCover) {
            editor.form.coverMs = picture.time
          } label: {
            image(of: picture)
          }
        }
      }
    }
    .scrollIndicators(.hidden)
    .task(id: sheet) { file = UIImage(data: sheet.data) }
  }

  @ViewBuilder private func image(of picture: CoverSheet.Picture) -> some View {
    let scale = Self.height / Double(max(1, picture.height))
    Color.gray.opacity(0.2)
      .overlay(alignment: .topLeading) {
        if let file {
          Image(uiImage: file)
            .resizable()
            .frame(width: Double(sheet.width) * scale, height: Double(sheet.height) * scale)
            .offset(x: -Double(picture.x) * scale, y: -Double(picture.y) * scale)
        }
      }
      .frame(width: Double(picture.width) * scale, height: Self.height)
      .clipShape(RoundedRectangle(cornerRadius: 8))
      // Places in a picture are not mirrored.
      .environment(\.layoutDirection, .leftToRight)
  }
}

/// One picture that can be the cover.
struct CoverButton<Picture: View>: View {
  private let time: Int
  private let isChosen: Bool
  private let choose: @MainActor () -> Void
  private let picture: Picture

  init(
    time: Int, isChosen: Bool, choose: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Picture
  ) {
    self.time = time
    self.isChosen = isChosen
    self.choose = choose
    picture = label()
  }

  var body: some View {
    Button(action: choose) {
      picture
        .overlay {
          RoundedRectangle(cornerRadius: 8)
            .stroke(isChosen ? Color.accentColor : Color.clear, lineWidth: 3)
        }
    }
    .buttonStyle(.plain)
    .accessibilityLabel("Picture at \(time / 1_000) seconds")
    .accessibilityAddTraits(isChosen ? [.isSelected] : [])
  }
}

extension View {
  /// Shows the form while something is changed.
  func edits(
    _ editor: ClipEditor, title: LocalizedStringKey = "Edit the clip", action: LocalizedStringKey = "Save"
  ) -> some View {
    sheet(isPresented: Binding(get: { editor.subject != nil }, set: { if !$0 { editor.cancel() } })) {
      ClipForm(editor, title: title, action: action)
    }
  }
}
