import type { Role } from './ledger.ts';

export const selectActors =
  'SELECT actorid, actorname, accountname, serverindex, level, job, sex, nonbindyuanbao, createtime FROM actors';

export type ActorRow = {
  actorid: number;
  actorname: string;
  accountname: string;
  serverindex: number;
  level: number;
  job: number;
  sex: number;
  nonbindyuanbao: number;
  createtime: string;
};

/** Columns of a role that a save writes; the others keep their defaults. */
export const savedColumns = [
  'actorid',
  'actorname',
  'accountname',
  'serverindex',
  'level',
  'job',
  'sex',
  'nonbindyuanbao',
  'createtime',
  'updatetime',
] as const;

export const savedRow = (role: Role): (string | number)[] => [
  role.id,
  role.name,
  role.account,
  role.origin,
  role.level,
  role.job,
  role.sex,
  role.balance,
  gameTime(role.createdAt),
  gameTime(Date.now()),
];

export const roleOf = (row: ActorRow): Role => ({
  id: row.actorid,
  account: row.accountname,
  name: row.actorname,
  origin: row.serverindex,
  level: row.level,
  job: row.job,
  sex: row.sex,
  balance: row.nonbindyuanbao,
  createdAt: Date.parse(`${row.createtime.replace(' ', 'T')}Z`),
});

// Games store wall-clock DATETIMEs without a zone; this one uses UTC.
const gameTime = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
