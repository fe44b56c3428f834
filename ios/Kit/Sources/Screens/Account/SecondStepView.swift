internal import AppModel
internal import SwiftUI

/// Asks for a code or a passkey, where the account wants one beside the password.
struct SecondStepView: View {
  let entry: EntryModel
  @FocusState private var focus: EntryModel.StepField?

  var body: some View {
    Form {
      Section {
        FieldView("Code", .code, EntryModel.StepField.code, of: entry.stepForm, focus: $focus)
        SubmitView("Sign in", busy: "Signing in…", entry.stepForm) { await entry.takeSecondStep() }
      } header: {
        Text("Type the code that your authenticator app shows for this site, or one of your recovery codes.")
      }
      if entry.hasKeys {
        Section {
          KeyButton("Use a passkey", entry) { await entry.takeSecondStepByKey() }
        } footer: {
          if let failure = entry.keyFailure { Text(verbatim: failure.words).foregroundStyle(.red) }
        }
      }
    }
    .onSubmit { Task { await entry.takeSecondStep() } }
    .follows(entry.stepForm, $focus)
    .onAppear { focus = .code }
  }
}
