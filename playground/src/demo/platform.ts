import type { Claim } from './game-server.ts';

/** Checks a token as any game server does: POST /api/check with its zone, where only a 200 counts. */
export function askPlatform(port: number) {
  return async (claim: Claim): Promise<string | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: claim.account, token: claim.token, server_id: claim.serverId }),
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) return undefined;
    const { account: confirmed } = (await answer.json()) as { account: string };
    return confirmed;
  };
}
