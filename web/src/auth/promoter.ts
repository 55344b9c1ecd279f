import { sessionValue } from '../ui/browser-storage.ts';

const stored = sessionValue('gatehouse.agent');

/** The promoter who referred this visitor, remembered from the landing page until registration. */
export const promoter = {
  rememberFrom(search: string) {
    const agentId = new URLSearchParams(search).get('agent_id');
    if (agentId) stored.set(agentId.slice(0, 64));
  },
  id: () => stored.get(),
  clear: () => stored.remove(),
};
