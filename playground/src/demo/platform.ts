/** Asks the platform as any game server does: POST /api/check, and only a 200 counts. */
export function askPlatform(port: number) {
  return async (account: string, token: string): Promise<string | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, token }),
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) return undefined;
    const { account: confirmed } = (await answer.json()) as { account: string };
    return confirmed;
  };
}
