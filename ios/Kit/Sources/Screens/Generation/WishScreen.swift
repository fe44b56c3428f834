public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// Where a clip is asked for in words: what is to be seen, what it costs, and how long it usually takes.
public struct WishScreen: View {
  private let generations: Generations
  private let base: URL
  private let jpeg: PictureJPEG
  private let signIn: @MainActor () -> Void

  /// `base`: the instance. `jpeg`: of a picture of the photo library, as it is sent.
  public init(
    _ generations: Generations, base: URL, jpeg: @escaping PictureJPEG,
    signIn: @escaping @MainActor () -> Void
  ) {
    self.generations = generations
    self.base = base
    self.jpeg = jpeg
    self.signIn = signIn
  }

  public var body: some View {
    content
      .navigationTitle("A clip from words")
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          Button("All of them", systemImage: "list.bullet") { generations.openList() }
        }
      }
  }

  @ViewBuilder private var content: some View {
    if generations.isInUse {
      WishForm(generations.wish, words: generations.words, base: base, jpeg: jpeg)
    } else {
      GenerationsForAccounts(signIn: signIn)
    }
  }
}

/// What a guest is told.
struct GenerationsForAccounts: View {
  let signIn: @MainActor () -> Void

  var body: some View {
    VStack(spacing: 8) {
      Text("With an account, you can have clips made from your words.")
        .multilineTextAlignment(.center)
      Button("Sign in", action: signIn).frame(minHeight: 44)
    }
    .padding()
  }
}

private struct WishForm: View {
  @Bindable private var wish: WishModel
  private let words: GenerationWords
  private let base: URL
  private let jpeg: PictureJPEG
  @FocusState private var focus: WishModel.Field?
  @State private var choosesClip = false

  init(_ wish: WishModel, words: GenerationWords, base: URL, jpeg: @escaping PictureJPEG) {
    self.wish = wish
    self.words = words
    self.base = base
    self.jpeg = jpeg
  }

  var body: some View {
    Form {
      switch wish.offer.state {
      case .none: Text("Clips cannot be made from words here.")
      case .loading:
        prompt
        ProgressView("Loading").frame(maxWidth: .infinity)
      case .failed(let failure):
        prompt
        TryAgainView(failure) { await wish.offer.load() }
      case .made(let offer):
        prompt
        choices(offer)
        if wish.startsFromPictures { FirstPictureSection(wish, jpeg: jpeg) }
        PriceSection(wish, offer, words, "Make it")
      }
    }
    .follows(wish.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .interactiveDismissDisabled(wish.form.isBusy)
    .sheet(isPresented: $choosesClip) { BeginningChooser(wish, base: base) { choosesClip = false } }
    .task { await wish.offer.load() }
  }

  private var prompt: some View {
    Section {
      PromptField(wish, $focus)
      if wish.showsExamples {
        ForEach(GenerationWords.examples, id: \.self) { example in
          Button {
            wish.take(example: example.words)
          } label: {
            Text(verbatim: example.words).font(.callout).multilineTextAlignment(.leading)
          }
          .frame(minHeight: 44)
          .accessibilityHint("Puts this example into the field.")
        }
      }
    } footer: {
      Text(
        "What breaks the rules of this site, or of whoever makes videos, is refused and costs nothing. Whoever makes it gets the prompt, and nothing about you."
      )
    }
    .disabled(wish.form.isBusy)
  }

  private func choices(_ offer: GenerationOffer) -> some View {
    Section {
      Picker("Length", selection: $wish.seconds) {
        ForEach(offer.lengths, id: \.seconds) { length in
          Text("\(length.seconds) s").tag(length.seconds)
        }
      }
      Picker("Style", selection: $wish.style) {
        ForEach(WishModel.styles, id: \.self) { style in
          Text(verbatim: GenerationWords.name(of: style).words).tag(style)
        }
      }
      Picker("Shape", selection: $wish.aspect) {
        ForEach(offer.aspects, id: \.self) { aspect in
          Text(verbatim: GenerationWords.name(of: aspect).words).tag(aspect)
        }
      }
      if wish.startsFromClips { beginning }
    }
    .disabled(wish.form.isBusy)
  }

  @ViewBuilder private var beginning: some View {
    if wish.fromClip == nil {
      Button("Begin with one of your clips") { choosesClip = true }.frame(minHeight: 44)
    } else {
      ActionRow {
        Text("It begins with one of your clips.")
      } action: {
        Button("Leave it out") { wish.begin(with: nil) }.buttonStyle(.borderless)
      }
    }
  }
}

/// The prompt. Near its end it says how much still fits.
struct PromptField: View {
  private let wish: WishModel
  private let focus: FocusState<WishModel.Field?>.Binding

  init(_ wish: WishModel, _ focus: FocusState<WishModel.Field?>.Binding) {
    self.wish = wish
    self.focus = focus
  }

  var body: some View {
    FieldView(
      "What is to be seen?", .lines, hint: "Say what happens, how it looks and where the camera is.",
      WishModel.Field.prompt, of: wish.form, focus: focus)
    if wish.charactersLeft <= WrittenField.charactersLeftShown { CharactersLeft(wish.charactersLeft) }
  }
}

/// What it costs, what is left, and how long it takes: before the tap that asks for it.
struct PriceSection: View {
  private let wish: WishModel
  private let offer: GenerationOffer
  private let words: GenerationWords
  private let title: LocalizedStringKey

  init(_ wish: WishModel, _ offer: GenerationOffer, _ words: GenerationWords, _ title: LocalizedStringKey) {
    self.wish = wish
    self.offer = offer
    self.words = words
    self.title = title
  }

  var body: some View {
    Section {
      if let length = wish.length {
        LabeledContent("Price") { Text("\(length.credits) credits") }
        LabeledContent("Left today") { Text("\(offer.creditsLeft) of \(offer.creditsPerDay)") }
        if let usual = words.usual(length) {
          Text(verbatim: usual.words)
        } else {
          Text("Nobody knows yet how long it takes.")
        }
      }
      if let obstacle = wish.obstacle {
        WarningLabel(obstacle)
      }
      SubmitView(title, busy: "Sending…", wish.form) { await wish.send() }.disabled(!wish.canSend)
    } footer: {
      Text("You get the credits back if no clip comes of it.")
    }
  }
}

/// Clips of one's own, with the picture of one of which a new one begins.
private struct BeginningChooser: View {
  private let wish: WishModel
  private let base: URL
  private let close: @MainActor () -> Void

  init(_ wish: WishModel, base: URL, close: @escaping @MainActor () -> Void) {
    self.wish = wish
    self.base = base
    self.close = close
  }

  var body: some View {
    ScreenStack(close: close) {
      List {
        ForEach(wish.clips.items, id: \.uploadId) { clip in
          row(clip).disabled(!wish.canBegin(with: clip)).task { await wish.clips.came(to: clip) }
        }
        ListEnd(list: wish.clips, none: "You haven’t uploaded anything yet.")
      }
      .navigationTitle("Your clips")
      .task { await wish.clips.begin() }
      .refreshable { await wish.clips.reload() }
    }
  }

  private func row(_ clip: OwnClip) -> some View {
    Button {
      wish.begin(with: clip)
      close()
    } label: {
      HStack(spacing: 12) {
        ClipPicture(ListPicture(of: clip, base: base)).frame(width: 44)
        clip.caption.isEmpty ? Text("Clip without a caption") : Text(verbatim: clip.caption)
      }
    }
    .buttonStyle(.plain)
    .accessibilityHint("Begins the new clip with its picture.")
  }
}
