import Contract

extension NewAccount {
  init(_ handle: String, _ password: String = "correct horse", email: String? = nil) {
    self.init(handle: handle, password: password, email: email, transport: .token)
  }

  init(_ handle: String, _ transport: TokenTransport) {
    self.init(handle: handle, password: "correct horse", transport: transport)
  }
}
