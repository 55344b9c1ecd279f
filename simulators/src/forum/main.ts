import { parseArgs } from 'node:util';
import { startForum } from './forum.ts';

const usage = `node simulators/src/forum/main.ts --public-url URL
  --public-url URL        where browsers reach Gatehouse
  --port PORT             the forum's port (default: a free one)
  --client-secret SECRET  what Gatehouse presents (default: made up and printed)
  --clock-offset SECONDS  run with a clock that is wrong by so much`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'public-url': { type: 'string' },
      port: { type: 'string', default: '0' },
      'client-secret': { type: 'string' },
      'clock-offset': { type: 'string', default: '0' },
    },
  });
  if (values['public-url'] === undefined) throw new Error('--public-url is needed');
  setClock(Number(values['clock-offset']));
  const forum = await startForum({
    publicUrl: values['public-url'],
    port: Number(values.port),
    ...(values['client-secret'] !== undefined && { clientSecret: values['client-secret'] }),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void forum.stop());
  // One line for the parent process, which signals readiness.
  console.log(JSON.stringify({ issuer: forum.issuer, settings: forum.settings }));
}

function setClock(offsetSeconds: number): void {
  const rightNow = Date.now;
  Date.now = () => rightNow() + offsetSeconds * 1000;
}

run().catch((error: unknown) => {
  console.error(`forum: ${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
});
