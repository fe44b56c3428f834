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

  /// As `RateLimit`: a bucket is the instant at which it is full again, by the clock of Redis, which all
  /// servers share. Of several one token each, or none: a network that has none left does not cost its
  /// addresses theirs.
  static let take = RedisScript(
    """
    local clock = redis.call('TIME')
    local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
    local wait, after = 0, {}
    for place, key in ipairs(KEYS) do
      local interval = tonumber(ARGV[2 * place])
      local empty = ARGV[2 * place - 1] * interval
      local full = tonumber(redis.call('GET', key) or now)
      full = math.min(math.max(full, now), now + empty)
      wait = math.max(wait, full + interval - now - empty)
      after[place] = full + interval
    end
    if wait > 0 then return wait end
    for place, key in ipairs(KEYS) do
      redis.call('SET', key, string.format('%.0f', after[place]), 'PX', string.format('%.0f', after[place] - now))
    end
    return 0
    """)
}
