/** Public: it opens demo accounts and nothing else. */
export const DEMO_PASSWORD = 'lanterns-at-night';

export interface DemoRole {
  readonly serverId: number;
  readonly name: string;
  readonly level: number;
  readonly balance: number;
}

export interface DemoPerson {
  readonly account: string;
  readonly roles: readonly DemoRole[];
  readonly suspended?: string;
}

export const demoPeople: readonly DemoPerson[] = [
  {
    account: 'demo_player',
    roles: [
      { serverId: 1, name: '提灯人', level: 38, balance: 8888 },
      { serverId: 1, name: '夜巡', level: 12, balance: 250 },
      { serverId: 2, name: '远客', level: 5, balance: 60 },
    ],
  },
  { account: 'demo_banned', roles: [], suspended: '演示封号 A suspension to look at' },
];
