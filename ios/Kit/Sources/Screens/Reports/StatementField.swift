internal import AppModel
internal import SwiftUI

/// A field for some lines that moderators read. Near its end it says how much still fits.
struct StatementField<Field>: View
where Field: RawRepresentable<String> & Hashable & Sendable & CaseIterable {
  private let title: LocalizedStringKey
  private let left: Int
  private let field: Field
  private let form: FormState<Field>
  private let focus: FocusState<Field?>.Binding

  init(
    _ title: LocalizedStringKey, left: Int, _ field: Field, of form: FormState<Field>,
    focus: FocusState<Field?>.Binding
  ) {
    self.title = title
    self.left = left
    self.field = field
    self.form = form
    self.focus = focus
  }

  var body: some View {
    FieldView(title, .lines, field, of: form, focus: focus)
    if left <= WrittenField.charactersLeftShown { CharactersLeft(left) }
  }
}

/// How much still fits into a field, or is too much.
struct CharactersLeft: View {
  private let left: Int

  init(_ left: Int) { self.left = left }

  var body: some View {
    (left < 0 ? Text("\(-left) too many") : Text("\(left) left"))
      .font(.footnote)
      .monospacedDigit()
      .foregroundStyle(left < 0 ? Color.red : Color.secondary)
  }
}
