internal import Crypto

/// What must be one operation, run inside Redis.
struct RedisScript: Sendable {
  let text: [UInt8]
  /// By which Redis knows a script; SHA-1 is its choice.
  let hash: [UInt8]

  init(_ text: String) {
    self.text = Array(text.utf8)
    hash = Insecure.SHA1.hash(data: self.text).flatMap { byte in
      let digits = String(byte, radix: 16)
      return Array((digits.count == 1 ? "0" + digits : digits).utf8)
    }
  }

  static let increment = RedisScript(
    """
    local value = redis.call('INCRBY', KEYS[1], ARGV[1])
    if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return value
    """)

  /// As `RateLimit`: a bucket is the instant at which it is full again, by the clock of Redis, which all servers share.
  static let take = RedisScript(
    """
    local clock = redis.call('TIME')
    local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
    local interval = tonumber(ARGV[2])
    local empty = ARGV[1] * interval
    local full = tonumber(redis.call('GET', KEYS[1]) or now)
    full = math.min(math.max(full, now), now + empty)
    local wait = full + interval - now - empty
    if wait > 0 then return wait end
    redis.call('SET', KEYS[1], string.format('%.0f', full + interval), 'PX', string.format('%.0f', full + interval - now))
    return 0
    """)
}
