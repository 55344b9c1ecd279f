import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * Sends requests at a fixed rate and prints the latencies: an open loop, like wrk2. Every millisecond a number of requests is
 * due. A latency is counted from then, even if all connections are busy, so that a stalled server does not slow the load down.
 * Arguments: port, file of requests, offset, requests per second, seconds, connections.
 */
const [port = '', file = '', ...numbers] = process.argv.slice(2);
const [offset = 0, rate = 1, seconds = 1, connections = 1] = numbers.map(Number);
const requests = readFileSync(file, 'latin1').split('\0');
const total = Math.round(rate * seconds);

/** When each waiting request was due. */
const waiting: number[] = [];
const idle: ((due: number) => void)[] = [];
const latencies: number[] = [];
let sent = offset;
let refused = 0;

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', resolve).setNoDelay().once('error', reject);
    let due = 0;
    let received = '';
    const send = (at: number) => {
      due = at;
      socket.write(requests[sent++ % requests.length] ?? '', 'latin1');
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      const status = statusOfWhole(received);
      if (status === undefined) return;
      received = '';
      latencies.push(performance.now() - due);
      if (status >= 400) refused++;
      if (latencies.length === total) finish();
      const next = waiting.shift();
      if (next === undefined) idle.push(send);
      else send(next);
    });
    idle.push(send);
  });
}

/** Returns the status of a response, or undefined while a part of it is missing. */
function statusOfWhole(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length < end + 4 + length ? undefined : Number(text.slice(9, 12));
}

function finish(): void {
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(total - 1, Math.floor(total * share))];
  console.log(JSON.stringify({ requests: total, refused, p50: at(0.5), p99: at(0.99), p999: at(0.999) }));
  process.exit();
}

await Promise.all(Array.from({ length: connections }, open));
const started = performance.now();
let queued = 0;
setInterval(() => {
  const elapsed = Math.floor(performance.now() - started);
  const dueByNow = Math.min(total, Math.floor((rate * elapsed) / 1000));
  for (; queued < dueByNow; queued++) {
    const due = started + Math.ceil(((queued + 1) * 1000) / rate);
    const send = idle.pop();
    if (send === undefined) waiting.push(due);
    else send(due);
  }
}, 1);
