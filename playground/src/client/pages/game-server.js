const REPORT_MS = 2000;

export class Refused extends Error {}

async function ask(path, body) {
  const answer = await fetch(`/playground/game/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status === 401 || answer.status === 403) throw new Refused(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/**
 * Connects to the game server. Earnings are reported as a total since entering, so that a report can be lost or sent twice. If
 * the server has lost our session, we enter again, provided our token can be used more than once.
 */
export async function connect({ account, token, server }, { onBalance, onRefused }) {
  const enter = () => ask('enter', { account, token, server_id: server.server_id });
  let { session, role } = await enter();
  let earned = 0;
  let kept = 0;
  let keptEarlier = 0;
  let reporting = null;

  async function report() {
    const before = earned;
    if (before === kept) return;
    try {
      const { credited, balance } = await ask('earn', { session, total: before - keptEarlier });
      kept = keptEarlier + credited;
      onBalance(balance);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      ({ session, role } = await enter());
      keptEarlier = kept;
    }
  }

  /** Sends at most one report at a time. */
  function settle() {
    reporting ??= report().finally(() => {
      reporting = null;
    });
    return reporting;
  }

  const reports = setInterval(
    () =>
      settle().catch((error) => {
        if (!(error instanceof Refused)) return;
        clearInterval(reports);
        onRefused();
      }),
    REPORT_MS,
  );
  onBalance(role.balance);
  return {
    role,
    earn(amount) {
      earned += amount;
    },
    /** Reports until the server has everything. */
    async settled() {
      await settle();
      if (earned !== kept) await settle();
      return kept === earned;
    },
  };
}
