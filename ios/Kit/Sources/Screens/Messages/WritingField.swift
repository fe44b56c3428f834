internal import AppModel
internal import SwiftUI

/// A field of one to five lines with a button that sends: of comments and of conversations.
struct WritingField: View {
  @Bindable private var field: WrittenField
  private let prompt: LocalizedStringKey
  private let send: LocalizedStringKey
  private let symbol: String
  private let wantsFocus: String?
  private let act: @MainActor () -> Void
  @FocusState private var isFocused: Bool

  /// `wantsFocus`: with each other thing that is named the keyboard comes.
  init(
    _ field: WrittenField, prompt: LocalizedStringKey, send: LocalizedStringKey, symbol: String,
    wantsFocus: String? = nil, act: @escaping @MainActor () -> Void
  ) {
    self.field = field
    self.prompt = prompt
    self.send = send
    self.symbol = symbol
    self.wantsFocus = wantsFocus
    self.act = act
  }

  var body: some View {
    VStack(alignment: .trailing, spacing: 4) {
      if field.showsCharactersLeft { CharactersLeft(field.charactersLeft).padding(.trailing, 52) }
      HStack(alignment: .bottom, spacing: 8) {
        TextField(prompt, text: $field.text, axis: .vertical)
          .lineLimit(1...5)
          .textContentType(nil)
          .focused($isFocused)
          .padding(.horizontal, 14)
          .padding(.vertical, 11)
          .background(.quaternary, in: RoundedRectangle(cornerRadius: 22))
        Button(action: act) {
          Image(systemName: symbol).font(.title2).frame(width: 44, height: 44)
        }
        .disabled(!field.canSend)
        .accessibilityLabel(send)
      }
    }
    .padding(.horizontal, 12)
    .padding(.vertical, 6)
    .onChange(of: wantsFocus) { _, wanted in
      if wanted != nil { isFocused = true }
    }
    .onDisappear { field.store() }
  }
}

/// What is on its way, or did not arrive, with what can be done about it.
struct UnsentState<Answer: Sendable>: View {
  private let entry: Outbox<Answer>.Entry
  private let retry: @MainActor () -> Void
  private let discard: @MainActor () -> Void

  init(
    _ entry: Outbox<Answer>.Entry, retry: @escaping @MainActor () -> Void,
    discard: @escaping @MainActor () -> Void
  ) {
    self.entry = entry
    self.retry = retry
    self.discard = discard
  }

  var body: some View {
    switch entry.state {
    case .waiting, .sending: Text("Sending…").font(.footnote).foregroundStyle(.secondary)
    case .unreached(let why), .refused(let why):
      VStack(alignment: .leading, spacing: 0) {
        Text(verbatim: why.words).font(.footnote).foregroundStyle(.red)
        HStack(spacing: 16) {
          Button("Try again", action: retry)
          Button("Delete", role: .destructive, action: discard)
        }
        .font(.footnote)
        .buttonStyle(.borderless)
        .frame(minHeight: 44)
      }
    }
  }
}

/// A page of a list that did not come.
struct FailedPage: View {
  private let why: Sentence
  private let retry: @MainActor () -> Void

  init(_ why: Sentence, retry: @escaping @MainActor () -> Void) {
    self.why = why
    self.retry = retry
  }

  var body: some View {
    VStack(spacing: 8) {
      Text(verbatim: why.words).multilineTextAlignment(.center)
      Button("Try again", action: retry).frame(minHeight: 44)
    }
    .frame(maxWidth: .infinity)
    .padding(16)
  }
}
