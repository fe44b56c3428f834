public import Platform

extension LiveLog: ViewerExporting {
  public var exported: [ExportedRecords] { [] }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "live_events.account", "live_events.actor_id",
        because: "hints that go after a day; what happened is in `notifications`, and where it was done")
    ]
  }
}
