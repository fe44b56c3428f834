internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI
internal import UIKit

/// Two-step sign-in: an app that makes codes, and codes for whoever loses it.
struct TwoStepView: View {
  let model: TwoStepModel
  let handle: String
  @FocusState private var setUpFocus: TwoStepModel.OwnerField?
  @FocusState private var codeFocus: TwoStepModel.CodeField?
  @FocusState private var renewFocus: TwoStepModel.OwnerField?
  @FocusState private var offFocus: TwoStepModel.OwnerField?

  var body: some View {
    Form {
      if !model.codes.isEmpty {
        codes
      } else if let setup = model.setup {
        settingUp(setup)
      } else if let state = model.state {
        if let since = state.codeAppSince { isOn(since, state.recoveryCodes) } else { isOff }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(model.setUpForm, $setUpFocus)
    .follows(model.confirmForm, $codeFocus)
    .follows(model.renewForm, $renewFocus)
    .follows(model.offForm, $offFocus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.load() }
  }

  private var isOff: some View {
    Section {
      if model.hasPassword {
        OwnerField(handle: handle)
        FieldView(
          "Password", .password, TwoStepModel.OwnerField.password, of: model.setUpForm, focus: $setUpFocus)
        SubmitView("Set up an app", busy: "Setting up…", model.setUpForm) { await model.beginSetup() }
      } else {
        Text("Set a password first, under “Ways to sign in”.")
      }
    } header: {
      Text(
        "Besides your password, signing in then asks for a code of an app on your phone. Whoever learns your password alone stays out."
      )
    }
  }

  @ViewBuilder private func settingUp(_ setup: CodeAppSetup) -> some View {
    Section {
      SecretRow(Text("Key"), setup.secret, shown: model.key, label: "Copy the key") { model.noteCopied(.key) }
      if let address = model.address {
        Link("Open in an app on this device", destination: address).frame(minHeight: 44)
      }
    } header: {
      Text(
        "Add this key to an authenticator app, such as the one of your password manager. Then type the code that it shows."
      )
    }
    Section {
      FieldView("Code", .code, TwoStepModel.CodeField.code, of: model.confirmForm, focus: $codeFocus)
      SubmitView("Turn on", busy: "Turning on…", model.confirmForm) { await model.confirm() }
      Button("Cancel", role: .cancel) { model.cancelSetup() }.disabled(model.confirmForm.isBusy)
    }
  }

  private var codes: some View {
    Section {
      ForEach(model.codes, id: \.self) { code in
        Text(verbatim: code).monospaced().textSelection(.enabled).privacySensitive()
      }
      Button("Copy the codes") {
        UIPasteboard.general.string = model.codes.joined(separator: "\n")
        model.noteCopied(.codes)
      }
      .frame(minHeight: 44)
      ShareLink("Share the codes", item: model.codes.joined(separator: "\n")).frame(minHeight: 44)
      Button("I have kept them") { Task { await model.keptCodes() } }.bold().frame(minHeight: 44)
    } header: {
      Text(
        "Keep these codes where you find them without your phone. Each opens the account once, in place of the app’s code. They aren’t shown again."
      )
    }
  }

  @ViewBuilder private func isOn(_ since: Date, _ left: Int) -> some View {
    Section { Text("On since \(since, format: day). Signing in asks for a code of your app.") }
    Section {
      Text("You have \(left) codes left. New ones take their place.")
      owner(model.renewForm, $renewFocus)
      SubmitView("Make new codes", busy: "Making them…", model.renewForm) { await model.renewCodes() }
    } header: {
      Text("Recovery codes")
    }
    Section {
      owner(model.offForm, $offFocus)
      SubmitView("Turn off", busy: "Turning off…", role: .destructive, model.offForm) {
        await model.turnOff()
      }
    } header: {
      Text("Turn off")
    }
  }

  /// What shows that it is them.
  @ViewBuilder private func owner(
    _ form: FormState<TwoStepModel.OwnerField>, _ focus: FocusState<TwoStepModel.OwnerField?>.Binding
  ) -> some View {
    if model.hasPassword {
      OwnerField(handle: handle)
      FieldView("Password", .password, TwoStepModel.OwnerField.password, of: form, focus: focus)
    } else {
      FieldView("Code", .code, TwoStepModel.OwnerField.code, of: form, focus: focus)
    }
  }
}
