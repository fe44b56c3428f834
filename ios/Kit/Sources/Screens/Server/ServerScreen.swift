public import AppModel
public import SwiftUI
public import UIKit

/// Asks for the server's address, at the first start and from the settings.
public struct ServerScreen: View {
  @Bindable private var model: ServerModel
  @FocusState private var isFocused: Bool

  public init(_ model: ServerModel) { self.model = model }

  /// The screen by itself, before there is a feed.
  public static func controller(_ model: ServerModel) -> UIViewController {
    Hosted.screen(NavigationStack { ServerScreen(model) })
  }

  public var body: some View {
    Form {
      Section {
        TextField("Server address", text: $model.text, prompt: Text(verbatim: "clips.example.org"))
          .keyboardType(.URL)
          .textContentType(.URL)
          .textInputAutocapitalization(.never)
          .autocorrectionDisabled()
          .submitLabel(.go)
          .focused($isFocused)
          .onSubmit { model.confirm() }
          .disabled(model.state == .checking)
          .environment(\.layoutDirection, .leftToRight)
        if let failure = model.failure {
          Label(failure.words, systemImage: "exclamationmark.triangle")
            .foregroundStyle(.red)
        }
      } header: {
        Text("Where are your clips?")
      } footer: {
        Text("Clipfeed is a platform that anyone can run. Type the address of the server that you use.")
      }
      Section {
        Button {
          isFocused = false
          model.confirm()
        } label: {
          HStack {
            Text("Connect")
            Spacer()
            if model.state == .checking { ProgressView() }
          }
        }
        .disabled(!model.canConfirm)
      }
    }
    .navigationTitle("Server")
    .sensoryFeedback(.error, trigger: model.failure) { $1 != nil }
    .onAppear { isFocused = model.url == nil }
  }
}
