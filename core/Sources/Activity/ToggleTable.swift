internal import CoreTypes

/// What a person turns on and off, and what the server knows of it: the last wish counts, whatever was wished
/// on the way there, and one request at a time goes out for each toggle. Each asks for a state and not for a
/// change, so asking twice is asking once.
struct ToggleTable: Sendable {
  private struct Row: Sendable {
    let toggle: ToggleID
    var wanted: Bool
    /// What the server holds, unless `isDoubtful`.
    var known: Bool
    /// A request was lost that may have arrived.
    var isDoubtful = false
    /// What the request under way asks for.
    var sent: Bool?
  }

  /// Those that differ, may differ, or are under way.
  private var rows: [Row] = []

  mutating func request(
    _ toggle: ToggleID, isOn: Bool, known: Bool, _ emit: (Activity.Command) -> Void
  ) {
    emit(.showToggle(toggle, isOn: isOn))
    if let index = index(of: toggle) {
      rows[index].wanted = isOn
      if rows[index].sent == nil { goOn(index, emit) }
    } else if isOn != known {
      rows.append(Row(toggle: toggle, wanted: isOn, known: known))
      goOn(rows.count - 1, emit)
    }
  }

  mutating func answered(_ toggle: ToggleID, _ emit: (Activity.Command) -> Void) {
    guard let index = index(of: toggle), let sent = rows[index].sent else { return }
    rows[index].known = sent
    rows[index].isDoubtful = false
    rows[index].sent = nil
    // What was counted before a newer wish is over already.
    if rows[index].wanted == sent { emit(.confirmToggle(toggle, isOn: sent)) }
    goOn(index, emit)
  }

  mutating func failed(_ toggle: ToggleID, status: Int32, _ emit: (Activity.Command) -> Void) {
    guard let index = index(of: toggle), let sent = rows[index].sent else { return }
    rows[index].sent = nil
    rows[index].isDoubtful = status <= 0 || status >= 500
    guard rows[index].wanted == sent else { return goOn(index, emit) }
    let known = rows[index].known
    if sent != known {
      rows[index].wanted = known
      emit(.revertToggle(toggle, isOn: known))
    }
    if !rows[index].isDoubtful { rows.remove(at: index) }
  }

  mutating func forget() { rows = [] }

  private func index(of toggle: ToggleID) -> Int? { rows.firstIndex { $0.toggle == toggle } }

  /// Asks for what is wanted, if the server is not known to hold it.
  private mutating func goOn(_ index: Int, _ emit: (Activity.Command) -> Void) {
    let row = rows[index]
    guard row.wanted != row.known || row.isDoubtful else {
      rows.remove(at: index)
      return
    }
    rows[index].sent = row.wanted
    emit(.sendToggle(row.toggle, isOn: row.wanted))
  }
}
