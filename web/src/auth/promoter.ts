import { forThisTab } from '../ui/browser-storage.ts';

const kept = forThisTab('gatehouse.agent');

/** The promoter who sent this visitor, kept from the landing page through to the registration. */
export const promoter = {
  rememberFrom(search: string) {
    const agentId = new URLSearchParams(search).get('agent_id');
    if (agentId) kept.write(agentId.slice(0, 64));
  },
  id: () => kept.read(),
  forget: () => kept.forget(),
};
