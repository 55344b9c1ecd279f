import type { Shape } from '../../messages.ts';
import type { growth as zhCN } from '../zh-CN/growth.ts';

export const growth: Shape<typeof zhCN> = {
  registrations: {
    setCap: 'Change the cap…',
    ofCap: ({ named }) => `of ${named('cap')} (${named('share')})`,
    byHour: 'By hour',
    byPromoter: 'By promoter',
    byBlock: 'By address block',
    direct: 'without a promoter',
    deny: 'Deny…',
  },
  promoters: {
    one: 'Promoter',
    name: 'Name',
    id: 'ID',
    registrations: 'Registered',
    entered: 'Entered the game',
    returned: 'Came back',
    addresses: 'Addresses',
    withdrawn: 'Withdrawn',
    lastDays: 'last 30 days',
    none: 'No promoters yet',
    noneText: 'Each promoter gets a link and a QR code.',
    statuses: { active: 'active', closed: 'closed' },
    add: 'Add a promoter',
    addAct: 'Add promoter',
    added: ({ named }) => `${named('name')} has been added.`,
    rename: 'Rename',
    renameAct: 'Save name',
    renamed: ({ named }) => `Renamed to ${named('name')}.`,
    set: {
      closed: {
        act: 'Close promoter',
        text: 'Registrations through its link no longer count.',
        done: ({ named }) => `${named('name')} has been closed.`,
      },
      active: {
        act: 'Reopen promoter',
        text: 'Registrations through its link count again.',
        done: ({ named }) => `${named('name')} has been reopened.`,
      },
    },
    funnel: 'Funnel',
    link: 'Link',
    linkText: 'Players who register through this link count for this promoter.',
    qr: ({ named }) => `QR code for ${named('name')}`,
    players: 'View players',
  },
};
