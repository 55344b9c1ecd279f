import { createGameServer, GatehouseError } from '@gatehouse/client/server';
import type { Claim } from './game-server.ts';

/** Checks a player’s token with the platform, as every game server does. */
export function askPlatform(port: number) {
  const gatehouse = createGameServer({ url: `http://127.0.0.1:${port}` });
  return async ({ account, token, serverId }: Claim): Promise<string | undefined> => {
    try {
      return (await gatehouse.checkPlayer({ account, token, server_id: serverId })).account;
    } catch (error) {
      // Refused. Without an answer nobody is admitted either, but that is not the player's fault.
      if (error instanceof GatehouseError && error.problem) return undefined;
      throw error;
    }
  };
}
