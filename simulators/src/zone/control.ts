import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody, splitUrl } from '../http-listener.ts';
import { parseFault, parseFaultPlan } from './faults.ts';
import { BadRequest, type Fields, parseFields, textField, wholeField } from './fields.ts';
import type { Role, Zone } from './zone.ts';

type Route = (fields: Fields) => unknown;

const anyBalance = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** Starts the control interface for tests and the demo game, on its own port and on loopback only. */
export async function startControl(options: { zone: Zone; port?: number; maxEarn?: number }) {
  const routes = controlRoutes(options.zone, options.maxEarn ?? 1_000);
  const listener = await listen({
    port: options.port ?? 0,
    handle: (request, response) => void answer(routes, request, response),
  });
  return { url: `http://127.0.0.1:${listener.port}`, port: listener.port, stop: listener.pause };
}

function controlRoutes(zone: Zone, maxEarn: number): Record<string, Route> {
  function knownRole(fields: Fields): Role {
    const id = wholeField(fields, 'role_id', { min: 1, max: Number.MAX_SAFE_INTEGER });
    const role = zone.roles().find((candidate) => candidate.id === id);
    if (!role) throw new BadRequest(`the zone has no role ${id}`);
    return role;
  }

  return {
    'GET /roles': () => ({ roles: zone.roles().map(publicRole) }),
    'GET /journal': () => ({ journal: zone.journal() }),
    'GET /requests': () => ({ requests: zone.requests }),
    'GET /stats': () => statsOf(zone),

    async 'POST /roles'(fields) {
      const name = textField(fields, 'name', 32);
      if (zone.roles().some((role) => role.name === name)) throw new BadRequest(`the name ${name} is taken`);
      const role = await zone.addRole({
        account: textField(fields, 'account', 80),
        name,
        level: wholeField({ level: 1, ...fields }, 'level', { min: 1, max: 1_000 }),
        balance: wholeField({ balance: 0, ...fields }, 'balance', anyBalance),
      });
      return publicRole(role);
    },

    async 'POST /balance'(fields) {
      const { id } = knownRole(fields);
      await zone.setBalance(id, wholeField(fields, 'balance', anyBalance));
      return publicRole(zone.role(id));
    },

    async 'POST /earn'(fields) {
      const { id, balance } = knownRole(fields);
      const room = Number.MAX_SAFE_INTEGER - balance;
      await zone.earn(id, wholeField(fields, 'amount', { min: 1, max: Math.min(maxEarn, room) }));
      return publicRole(zone.role(id));
    },

    /** Takes `{"queue": ["drop_after", …]}` or `{"plan": "seed:rate:kinds"}`; an empty queue ends all faults. */
    'POST /faults'(fields) {
      try {
        zone.setFaults(
          Array.isArray(fields.queue)
            ? fields.queue.map((fault) => parseFault(String(fault)))
            : parseFaultPlan(textField(fields, 'plan', 10_000)),
        );
      } catch (error) {
        throw error instanceof Error ? new BadRequest(error.message) : error;
      }
      return {};
    },

    'POST /release'() {
      zone.release();
      return {};
    },
    async 'POST /save'() {
      await zone.save();
      return {};
    },
    async 'POST /pause'() {
      await zone.pauseGm();
      return {};
    },
    async 'POST /resume'() {
      await zone.resumeGm();
      return {};
    },
  };
}

async function answer(routes: Record<string, Route>, request: IncomingMessage, response: ServerResponse) {
  try {
    const route = routes[`${request.method} ${splitUrl(request.url ?? '/').path}`];
    if (!route) return send(response, 404, { error: 'no such control' });
    send(response, 200, await route(request.method === 'POST' ? await fieldsOf(request) : {}));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send(response, error instanceof BadRequest ? 400 : 500, { error: message });
  }
}

// Requires JSON, which web pages of other origins cannot send without a CORS preflight.
async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new BadRequest('the body must be application/json');
  const body = await readBody(request);
  if (body === undefined) throw new BadRequest('the body is too long');
  return parseFields(body);
}

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const publicRole = ({ id, account, name, level, balance }: Role) => ({
  role_id: id,
  account,
  name,
  level,
  balance,
});

function statsOf(zone: Zone) {
  const faults: Record<string, number> = {};
  for (const { fault } of zone.requests) faults[fault] = (faults[fault] ?? 0) + 1;
  const taken = zone.deductions();
  const { unsaved, lastError } = zone.saving();
  return {
    server_id: zone.serverId,
    roles: zone.roles().length,
    live_balance: zone.roles().reduce((sum, role) => sum + role.balance, 0),
    requests: zone.requests.length,
    deductions: taken.length,
    deducted: taken.reduce((sum, entry) => sum + entry.amount, 0),
    redirects_followed: zone.redirectsFollowed.length,
    faults,
    unsaved,
    last_save_error: lastError,
  };
}
