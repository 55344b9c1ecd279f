import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, readBody, splitUrl } from '../http-listener.ts';
import { behaviours } from './answers.ts';
import { type Fault, type FaultPlan, faultParts } from './faults.ts';
import type { GmCommands, GmParams } from './gm-commands.ts';
import type { RedirectTarget } from './redirect-target.ts';

export type GmRequest = { at: number; method: string; path: string; params: GmParams; fault: Fault };
const gmPath = '/gm';

/** Starts the GM interface, on which the fault plan decides how each command is served. */
export async function startGmServer(parts: {
  commands: GmCommands;
  redirectTarget: RedirectTarget;
  port: number;
  plan: () => FaultPlan;
}) {
  const requests: GmRequest[] = [];
  const stopping = new AbortController();
  const held = new EventEmitter().setMaxListeners(0);
  const inFlight = new Set<Promise<void>>();

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { path, query } = splitUrl(request.url ?? '/');
    const method = request.method ?? '';
    const form = method === 'POST' ? await readBody(request) : query;
    if (form === undefined) return refuseHttp(response, 413);
    const params: GmParams = Object.fromEntries(new URLSearchParams(form));
    const fault = path === gmPath ? parts.plan()(params) : 'ok';
    const turn = requests.push({ at: Date.now(), method, path, params, fault });
    if (path !== gmPath) return refuseHttp(response, 404);
    if (method !== 'GET' && method !== 'POST') return refuseHttp(response, 405);

    const { name, ms } = faultParts(fault);
    const { executes, answer } = behaviours[name];
    if (name === 'delay') await sleep(ms, undefined, { signal: stopping.signal });
    if (name === 'hold') await once(held, 'release', { signal: stopping.signal });
    const body = executes ? JSON.stringify(await parts.commands.execute(params, fault)) : '';
    if (!executes) await parts.commands.recordUnexecuted(params, fault);
    const location = `${parts.redirectTarget.url}?${query}`;
    await answer(response, { body, turn, ms, location, signal: stopping.signal });
  }

  // An error in the simulator must not pass for a scripted fault, so it crashes the process.
  function handle(request: IncomingMessage, response: ServerResponse) {
    const serving = serve(request, response).catch((error) => {
      if (!stopping.signal.aborted) throw error;
    });
    inFlight.add(serving);
    serving.finally(() => inFlight.delete(serving));
  }

  const gm = await listen({ port: parts.port, handle });

  return {
    url: `http://127.0.0.1:${gm.port}${gmPath}`,
    port: gm.port,
    requests,
    pause: gm.pause,
    resume: gm.resume,
    release: () => void held.emit('release'),
    async stop() {
      stopping.abort();
      await gm.pause();
      await Promise.all(inFlight);
    },
  };
}

function refuseHttp(response: ServerResponse, status: number) {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end();
}
