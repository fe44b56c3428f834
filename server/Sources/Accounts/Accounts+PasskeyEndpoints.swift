internal import Contract
internal import Features
internal import Platform

extension Accounts {
  var passkeyEndpoints: [Endpoint] {
    [
      Endpoint("askPasskey") { _ in try passkeyQuestion() },
      Endpoint("signInByPasskey") { call in
        let answer = try await call.body(PasskeyAnswer.self)
        let session = try await signIn(
          answer, guest: call.guest, client: call.client, knownTo: call.credentials.devices.map(\.account))
        return call.hand(session, by: answer.transport)
      },
      Endpoint(reading: "passkeys") { try await passkeys(of: try $0.account().id) },
      Endpoint("beginPasskey") { call in
        let id = try call.account().id
        let proof = try await call.body(OwnerProof.self)
        return try await call.showing(proof) { try await beginPasskey(of: id, proof, client: call.client) }
      },
      Endpoint("addPasskey") { call in
        try await addPasskey(
          of: try call.account().id, try await call.body(NewPasskey.self), client: call.client)
      },
      Endpoint("renamePasskey") { call in
        try await renamePasskey(
          call.id, of: try call.account().id, to: try await call.body(PasskeyChange.self).name)
      },
      Endpoint(doing: "removePasskey") { call in
        let id = try call.account().id
        let proof = try await call.body(OwnerProof.self)
        try await call.showing(proof) {
          try await removePasskey(call.id, of: id, proof, client: call.client)
        }
      },
    ]
  }
}
