internal import AppModel
internal import SwiftUI
internal import UIKit

/// A field of a form, with what is wrong with it below.
struct FieldView<Field>: View
where Field: RawRepresentable<String> & Hashable & Sendable & CaseIterable {
  enum Content {
    case handle, anyName, name, email, password, newPassword, code, plain, lines, link
  }

  private let title: LocalizedStringKey
  private let content: Content
  private let hint: LocalizedStringKey?
  private let field: Field
  @Bindable private var form: FormState<Field>
  private let focus: FocusState<Field?>.Binding
  @State private var isShown = false

  init(
    _ title: LocalizedStringKey, _ content: Content, hint: LocalizedStringKey? = nil, _ field: Field,
    of form: FormState<Field>, focus: FocusState<Field?>.Binding
  ) {
    self.title = title
    self.content = content
    self.hint = hint
    self.field = field
    self.form = form
    self.focus = focus
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      HStack(alignment: .firstTextBaseline) {
        Text(title).font(.subheadline).foregroundStyle(.secondary)
        if form.isOptional(field) { Text("(optional)").font(.subheadline).foregroundStyle(.secondary) }
      }
      .accessibilityHidden(true)
      HStack {
        input
          .textContentType(contentType)
          .keyboardType(keyboard)
          .textInputAutocapitalization(capitals)
          .autocorrectionDisabled(content != .lines)
          .focused(focus, equals: field)
          .frame(minHeight: 44)
          .accessibilityHint(description)
        if isSecret {
          Button(isShown ? "Hide" : "Show") { isShown.toggle() }
            .buttonStyle(.borderless)
            .frame(minHeight: 44)
            .accessibilityLabel(isShown ? Text("Hide the password") : Text("Show the password"))
        }
      }
      if let fault = form.faults[field] {
        FaultLabel(fault)
      } else if let hint {
        Text(hint).font(.footnote).foregroundStyle(.secondary)
      }
    }
  }

  @ViewBuilder private var input: some View {
    let text = $form[dynamicMember: \.[field]]
    if isSecret, !isShown {
      SecureField(title, text: text, prompt: Text(verbatim: ""))
    } else if content == .lines {
      TextField(title, text: text, prompt: Text(verbatim: ""), axis: .vertical).lineLimit(3...8)
    } else {
      // What it is called stands above.
      TextField(title, text: text, prompt: Text(verbatim: ""))
    }
  }

  private var isSecret: Bool { content == .password || content == .newPassword }

  /// What is wrong comes first.
  private var description: Text {
    if let fault = form.faults[field] { return Text(verbatim: fault.words) }
    return hint.map { Text($0) } ?? Text(verbatim: "")
  }

  private var keyboard: UIKeyboardType {
    switch content {
    case .email, .anyName: .emailAddress
    case .link: .URL
    default: .default
    }
  }

  private var capitals: TextInputAutocapitalization {
    switch content {
    case .name: .words
    case .lines: .sentences
    default: .never
    }
  }

  private var contentType: UITextContentType? {
    switch content {
    case .handle, .anyName: .username
    case .name: .name
    case .email: .emailAddress
    case .password: .password
    case .newPassword: .newPassword
    case .code: .oneTimeCode
    case .link: .URL
    case .plain, .lines: nil
    }
  }
}

/// Sends a form, and says what is wrong with no one field.
struct SubmitView<Field>: View
where Field: RawRepresentable<String> & Hashable & Sendable & CaseIterable {
  private let title: LocalizedStringKey
  private let busy: LocalizedStringKey
  private let role: ButtonRole?
  private let form: FormState<Field>
  private let send: @MainActor () async -> Void
  @AccessibilityFocusState private var hearsFailure: Bool

  init(
    _ title: LocalizedStringKey, busy: LocalizedStringKey, role: ButtonRole? = nil, _ form: FormState<Field>,
    send: @escaping @MainActor () async -> Void
  ) {
    self.title = title
    self.busy = busy
    self.role = role
    self.form = form
    self.send = send
  }

  var body: some View {
    if let failure = form.failure {
      WarningLabel(failure)
        .foregroundStyle(.red)
        .accessibilityFocused($hearsFailure)
        .onAppear { hearsFailure = true }
    }
    Button(role: role) {
      Task { await send() }
    } label: {
      HStack {
        Text(form.isBusy ? busy : title)
        if form.isBusy { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: 44)
    }
    .disabled(form.isBusy)
  }
}

extension View {
  /// Brings the focus to the field that the form names.
  func follows<Field>(_ form: FormState<Field>, _ focus: FocusState<Field?>.Binding) -> some View
  where Field: RawRepresentable<String> & Hashable & Sendable & CaseIterable {
    onChange(of: form.focus) { _, wanted in
      guard let wanted else { return }
      focus.wrappedValue = wanted
      form.focus = nil
    }
  }
}
