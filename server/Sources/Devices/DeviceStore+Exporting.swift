public import Platform

extension DeviceStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "devices", "Devices that are told of what happens, without what opens them.",
        of: ["push_devices.viewer_id"],
        fields: ["id", "topic", "environment", "locale", "created_at_ms", "registered_at_ms"],
        sql: """
          SELECT id AS place, id, topic, environment, locale, created_at_ms, registered_at_ms FROM push_devices
          WHERE viewer_id = ?
          """)
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "push_notices.actor_id",
        because: "on its way to others, and gone within hours")
    ]
  }
}
