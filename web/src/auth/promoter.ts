import { sessionValue } from '../ui/browser-storage.ts';

const stored = sessionValue('gatehouse.agent');

/** The promoter who sent this visitor, remembered from the landing page through to the registration. */
export const promoter = {
  rememberFrom(search: string) {
    const agentId = new URLSearchParams(search).get('agent_id');
    if (agentId) stored.set(agentId.slice(0, 64));
  },
  id: () => stored.get(),
  clear: () => stored.remove(),
};
