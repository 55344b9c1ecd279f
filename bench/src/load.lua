-- Sends the prepared requests of a file, one after another; its bytes are HTTP already, so this costs next to nothing.
local requests = {}
local position = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("([^%z]+)") do
    requests[#requests + 1] = request
  end
  file:close()
  position = tonumber(args[2]) or 0
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
