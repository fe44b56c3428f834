internal import Contract
internal import Features
internal import Platform

extension Accounts {
  var secondFactorEndpoints: [Endpoint] {
    [
      Endpoint("takeSecondStep") { call in
        let step = try await call.body(SecondStep.self)
        let account = try await waiting(step.challenge)
        call.note(account)
        let device = call.credentials.devices.first { $0.account == account }
        let key = device.map { "device/\($0.id)" } ?? "account/\(account)"
        let (session, recovered) = try await call.guessing(.codes, key) {
          try await takeSecondStep(
            step, guest: call.guest, client: call.client, knownTo: call.credentials.devices.map(\.account))
        }
        if recovered { call.tell("recovery") }
        return call.hand(session, by: step.transport)
      },
      Endpoint(reading: "secondFactors") { try await secondFactors(of: try $0.account().id) },
      Endpoint("beginCodeApp") { call in
        let id = try call.account().id
        let proof = try await call.body(OwnerProof.self)
        return try await call.showing(proof) { try await beginCodeApp(of: id, proof, client: call.client) }
      },
      Endpoint("confirmCodeApp") { call in
        let id = try call.account().id
        let code = try await call.body(CodeAppConfirmation.self).code
        return try await call.guessing(.codes, "owner/\(id)") {
          try await confirmCodeApp(of: id, code: code, client: call.client)
        }
      },
      Endpoint(doing: "removeCodeApp") { call in
        let id = try call.account().id
        let proof = try await call.body(OwnerProof.self)
        try await call.showing(proof) { try await removeCodeApp(of: id, proof, client: call.client) }
      },
      Endpoint("makeRecoveryCodes") { call in
        let id = try call.account().id
        let proof = try await call.body(OwnerProof.self)
        return try await call.showing(proof) {
          try await makeRecoveryCodes(of: id, proof, client: call.client)
        }
      },
    ]
  }
}

extension TokenBucket {
  /// By account or device, of those who have shown the first step: 288 guesses a day, three codes of a
  /// million counting at a time. A thief of a password gets in within a year one time of four, and the owner
  /// hears of it with the fifth guess.
  static let codes = TokenBucket("codes", burst: 10, intervalMs: 300_000)
}

extension Call {
  /// Counts guesses at what somebody shows to be the owner, each kind by itself.
  func showing<Value>(_ proof: OwnerProof, _ work: () async throws -> Value) async throws -> Value {
    guard proof.code == nil else {
      return try await guessing(.codes, "owner/\(try account().id)", work)
    }
    return try await guessing(.guesses, ownGuesses(unless: proof.proof), work)
  }
}
