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
    id: 'Id',
    registrations: 'Registered',
    entered: 'Entered a game',
    returned: 'Came back',
    addresses: 'Addresses',
    withdrawn: 'Withdrawn',
    lastDays: 'last 30 days',
    none: 'No promoters yet',
    noneText: 'Add one, and it has a link and a QR code of its own.',
    statuses: { active: 'active', closed: 'closed' },
    add: 'Add a promoter',
    addAct: 'Add the promoter',
    added: ({ named }) => `${named('name')} is added.`,
    rename: 'Rename',
    renameAct: 'Save the name',
    renamed: ({ named }) => `It is called ${named('name')} now.`,
    set: {
      closed: {
        act: 'Close the promoter',
        text: 'Registrations by its link no longer count.',
        done: ({ named }) => `${named('name')} is closed.`,
      },
      active: {
        act: 'Open again',
        text: 'Registrations by its link count again.',
        done: ({ named }) => `${named('name')} is open again.`,
      },
    },
    funnel: 'Funnel',
    link: 'Link',
    linkText: 'Who registers by this link counts for this promoter.',
    qr: ({ named }) => `QR code of ${named('name')}`,
    players: 'Its players',
  },
};
