/// What a metric means. The list is the manual's (docs/operate.md), and a test holds that to it.
public struct MetricDescription: Sendable {
  public let name: String
  public let help: String
  /// Upper ends of the buckets, if it is a histogram.
  let bounds: [Double]
  /// The highest since it was last told, and not the latest.
  let isPeak: Bool

  init(_ name: String, _ help: String, bounds: [Double] = seconds, isPeak: Bool = false) {
    self.name = name
    self.help = help
    self.bounds = bounds
    self.isPeak = isPeak
  }

  /// From what a cached page takes to what nobody waits for.
  static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// Of jobs.
  static let minutes = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800]

  public static let all = [
    Self("clipfeed_http_requests_total", "Answered requests by route, method and status."),
    Self(
      "clipfeed_http_request_duration_seconds",
      "Time from a request's head to its answer's, by route. How long bytes then flow is not in it."),
    Self("clipfeed_http_requests_in_flight", "Requests that are being answered."),
    Self("clipfeed_http_request_bytes_total", "Bytes of request bodies by route, as announced."),
    Self("clipfeed_http_response_bytes_total", "Bytes of answers' bodies by route, as announced."),
    Self("clipfeed_rate_limited_total", "Requests that were refused for being too many, by class."),
    Self("clipfeed_feed_clips_total", "Clips handed out by the feed."),
    Self("clipfeed_feed_pages_total", "Pages of the feed, by whether they had any clips."),
    Self(
      "clipfeed_ranking_log_loss",
      "What the ranker said of impressions before it learned them, of today and yesterday, by head: log loss in nats."
    ),
    Self(
      "clipfeed_ranking_calibration_error",
      "Of these: mean distance between what was said and what came, by head."),
    Self(
      "clipfeed_ranking_calibration_slope",
      "Of these: slope of what came on what was said, by head; 1 is right."),
    Self("clipfeed_ranking_calibration_intercept", "Of these: intercept, by head; 0 is right."),
    Self(
      "clipfeed_ranking_nights_total",
      "Days of learning that were judged, by whether the new weights were kept, the old ones, or too few saw them."
    ),
    Self("clipfeed_database_duration_seconds", "Time of a transaction, waiting included, by kind."),
    Self("clipfeed_database_wait_seconds", "Time until a transaction could begin, by kind."),
    Self(
      "clipfeed_database_held_seconds",
      "Time of a transaction's body, in which no other can write where there is one writer, by kind."),
    Self(
      "clipfeed_database_held_max_seconds", "The longest of these since it was last asked for, by kind.",
      isPeak: true),
    Self(
      "clipfeed_loop_delay_seconds",
      "How late an event loop did what it was to do every hundredth of a second: what else it does waits as long."
    ),
    Self(
      "clipfeed_loop_delay_max_seconds", "The longest of these since it was last asked for.", isPeak: true),
    Self("clipfeed_database_in_use", "Transactions that are open or wait, by kind."),
    Self("clipfeed_database_waiting", "Transactions that wait for a connection or for their turn, by kind."),
    Self("clipfeed_database_connections", "Connections of this process to the database server, by state."),
    Self("clipfeed_database_connections_limit", "How many connections this process may have."),
    Self("clipfeed_database_errors_total", "Transactions that ended with an error, by kind."),
    Self("clipfeed_jobs", "Jobs in the database that are not done, by kind and state."),
    Self(
      "clipfeed_jobs_ended_total", "Jobs that a worker of this server or process ended, by kind and outcome."),
    Self(
      "clipfeed_job_duration_seconds",
      "Time that a worker of this server or process took for a job, by kind.",
      bounds: minutes),
    Self(
      "clipfeed_worker_deaths_total", "How often the process of this server's workers has ended by itself."),
    Self("clipfeed_live_connections", "Open streams of live events."),
    Self("clipfeed_live_events_total", "Live events sent."),
    Self(
      "clipfeed_push_notifications_total",
      "Notifications that were handed to Apple's service, or not any more, by what became of it."),
    Self("clipfeed_operator_webhooks", "Webhooks of the operator's, by state."),
    Self("clipfeed_cache_up", "1 while the shared cache can be reached, 0 while it cannot."),
    Self("clipfeed_source_up", "1 if these numbers could be looked up in time, by source."),
    Self("process_cpu_seconds_total", "Processor time of this process in seconds."),
    Self("process_resident_memory_bytes", "Memory of this process in bytes."),
    Self("process_virtual_memory_bytes", "Address space of this process in bytes."),
    Self("process_open_fds", "Open file descriptors."),
    Self("process_max_fds", "How many file descriptors may be open."),
    Self("process_threads", "Threads of this process."),
    Self("process_start_time_seconds", "When this process began, in seconds since 1970."),
  ]
}
