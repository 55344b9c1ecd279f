import { randomUUID } from 'node:crypto';
import type { OwnService, ServiceAnswer } from '../../../integrations/own-service.ts';
import { SIGNATURE_WINDOW_S, signCallback } from '../../../security/game-server-auth.ts';
import type { Settings } from '../../../settings/schema.ts';
import { type Line, lineOf, type Shown, skipped } from '../line.ts';
import type { Check, Reason } from '../texts/index.ts';
import { brief } from './entry-lines.ts';

const SIGNED = ['signed callback', 'replayed callback', 'late callback'] as const satisfies readonly Check[];

export const callbacksSkipped = () =>
  notMade(['signed callback', 'unsigned callback', 'replayed callback', 'late callback'], 'entry.not_asked');

const notMade = (checks: readonly Check[], reason: Reason) => skipped('callbacks', checks, reason);

type Headers = Readonly<Record<string, string>>;

/** Looks up a random id: an admitted caller gets "not found", and nothing changes. */
export async function callbackLines(
  service: OwnService,
  { key, signature }: Settings['game_servers'],
): Promise<Line[]> {
  const newTarget = () => `/api/link?connect_id=conformance-${randomUUID()}`;

  function signed(target: string, timestamp: number): Headers {
    const request = { method: 'GET', target, body: Buffer.alloc(0) };
    const signature = signCallback(request, String(timestamp), key ?? '').toString('hex');
    return { 'x-timestamp': String(timestamp), 'x-signature': signature };
  }

  async function ask(target: string, headers: Headers = {}) {
    const answer = await service.ask({ method: 'GET', target, headers });
    return { answer, shown: shownOf(target, headers, answer) };
  }

  async function admits(check: Check, target: string, headers?: Headers): Promise<Line> {
    const judge = lineOf('callbacks', check);
    const { answer, shown } = await ask(target, headers);
    const reason = headers === undefined ? 'callback.by_address' : 'callback.admitted';
    if (isAdmitted(answer)) return judge('ok', reason, {}, shown);
    return judge('failed', 'callback.kept_out', { answer: brief(answer) }, shown);
  }

  async function refuses(check: Check, target: string, headers?: Headers): Promise<Line> {
    const judge = lineOf('callbacks', check);
    const { answer, shown } = await ask(target, headers);
    if (isRefused(answer)) return judge('ok', 'callback.refused', {}, shown);
    return judge('failed', 'callback.let_in', { answer: brief(answer) }, shown);
  }

  if (key === undefined)
    return [await admits('unsigned callback', newTarget()), ...notMade(SIGNED, 'callback.no_key')];
  const now = Math.floor(Date.now() / 1000);
  const [target, late] = [newTarget(), newTarget()];
  const headers = signed(target, now);
  const [signedLine, unsignedLine] = [
    await admits('signed callback', target, headers),
    await refuses('unsigned callback', newTarget()),
  ];
  // Skip the other two. They would be accepted as well, because signatures are only observed.
  if (signature === 'observe')
    return [
      signedLine,
      unsignedLine,
      ...notMade(['replayed callback', 'late callback'], 'callback.observed'),
    ];
  return [
    signedLine,
    unsignedLine,
    await refuses('replayed callback', target, headers),
    await refuses('late callback', late, signed(late, now - 2 * SIGNATURE_WINDOW_S)),
  ];
}

const isAdmitted = ({ status, fields }: ServiceAnswer) =>
  status === 404 && fields.code === 'account_not_found';
const isRefused = ({ status, fields }: ServiceAnswer) =>
  status === 403 && fields.code === 'caller_not_allowed';

function shownOf(target: string, headers: Headers, answer: ServiceAnswer): Shown {
  const timestamp = headers['x-timestamp'];
  const added = timestamp === undefined ? '' : `  X-Timestamp: ${timestamp}  X-Signature: …`;
  return { request: `GET ${target}${added}`, response: brief(answer) };
}
