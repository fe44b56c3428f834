-- Requests of one kind, each of somebody else, in the order of a file. For wrk, which says how long they took.
-- A line: method, path, token, address, encoding, clips of the events that the body tells of; an empty word is left out.
local requests, place, made = {}, 0, 0

local function event(clip)
  made = made + 1
  return string.format(
    '{"id":"%08x-0000-7000-8000-%012x","clip_id":"%s","kind":"progress","at_ms":%s,"watched_ms":2500,"source":"feed"}',
    tonumber(os.getenv("LOAD_RUN")), made, clip, os.getenv("LOAD_NOW"))
end

function init(args)
  for line in io.lines(os.getenv("LOAD_REQUESTS")) do
    local words = {}
    for word in (line .. "\t"):gmatch("([^\t]*)\t") do words[#words + 1] = word end
    local method, path, token, address, encoding, clips = unpack(words)
    local headers = {["X-Forwarded-For"] = address}
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    if encoding ~= "" then headers["Accept-Encoding"] = encoding end
    if clips == "" then
      requests[#requests + 1] = wrk.format(method, path, headers)
    else
      headers["Content-Type"] = "application/json"
      local ids = {}
      for id in clips:gmatch("[^,]+") do ids[#ids + 1] = id end
      requests[#requests + 1] = function()
        local events = {}
        for index, id in ipairs(ids) do events[index] = event(id) end
        return wrk.format(method, path, headers, '{"events":[' .. table.concat(events, ",") .. "]}")
      end
    end
  end
  place = math.floor(#requests * (tonumber(os.getenv("LOAD_PART")) % 4) / 4)
end

function request()
  place = place % #requests + 1
  local next = requests[place]
  return type(next) == "string" and next or next()
end

function done(summary, latency, all)
  local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write +
    summary.errors.timeout
  io.write(string.format(
    "RESULT %d %d %d %d %d\n", summary.requests, summary.duration, bad, latency:percentile(50),
    latency:percentile(99)))
end
