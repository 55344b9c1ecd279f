import type { Journal, Player, Side, Visit } from './players.ts';

export interface Load {
  /** Every player, including those who registered. */
  players(): Player[];
  /** Lets all clients play until this returns true, and resolves when the last request is answered. */
  run(isOver: () => boolean): Promise<void>;
  /** Logs every player in once. */
  sweep(): Promise<void>;
}

interface LoadOptions {
  readonly visit: Visit;
  readonly journal: Journal;
  readonly players: readonly Player[];
  readonly clients: number;
  readonly phase: () => string;
}

/** Phases in which the shadow may still compare the answers to a player. */
const SHADOWED = new Set(['shadow', 'cut-over']);
/** Changes of one client at a time. */
const MAX_CHANGES = 3;

/** Creates the clients. Each has its own players, so that no two requests of a player overlap. */
export function createLoad({ visit, journal, players, clients, phase }: LoadOptions): Load {
  const owners = Array.from({ length: clients }, (_, index) => ({
    index,
    players: players.filter((_player, at) => at % clients === index),
    steps: 0,
    registered: 0,
    side: 'old' as Side,
    changes: new Set<Promise<void>>(),
  }));
  type Owner = (typeof owners)[number];

  async function register(owner: Owner): Promise<void> {
    const number = ++owner.registered;
    const account = `new_${owner.index}_${number}`;
    const address = `10.200.${owner.index}.${number % 250}`;
    const player = { account, password: `First-password-${number}`, address, phase: '' };
    if (await visit.register(player)) owner.players.push(player);
  }

  /** The player does nothing else until the new password is set. */
  async function changePassword(owner: Owner, player: Player, password: string): Promise<void> {
    owner.players.splice(owner.players.indexOf(player), 1);
    await visit.changePassword(player, password, owner.side);
    owner.players.push(player);
  }

  /** Lets the client continue with other players: changes wait during a switch, logins do not. */
  function inBackground(owner: Owner, change: Promise<void>): void {
    const changing = change.finally(() => owner.changes.delete(changing));
    owner.changes.add(changing);
  }

  /** Of twenty steps, 13 are logins, 4 checks, and one each a wrong login, a registration and a new password. */
  async function step(owner: Owner): Promise<void> {
    const turn = owner.steps++;
    const player = owner.players[turn % owner.players.length];
    if (!player) return;
    const kind = turn % 20;
    // The shadow compares an answer again when it ends, during the cut-over. A player's password changes only before the first
    // comparison.
    const mayChange = !SHADOWED.has(phase()) || !SHADOWED.has(player.phase);
    if (kind === 3 && owner.changes.size < MAX_CHANGES) return inBackground(owner, register(owner));
    if (kind === 7 && mayChange && owner.changes.size < MAX_CHANGES)
      return inBackground(owner, changePassword(owner, player, `Changed-password-${turn}`));
    if (kind === 11) await visit.loginWrong(player);
    else if (kind % 5 === 1) await visit.check(player);
    else await visit.login(player);
    owner.side = journal.events.at(-1)?.side ?? owner.side;
  }

  return {
    players: () => owners.flatMap((owner) => owner.players),
    async run(isOver) {
      await Promise.all(
        owners.map(async (owner) => {
          while (!isOver()) await step(owner);
          await Promise.all(owner.changes);
        }),
      );
    },
    async sweep() {
      await Promise.all(
        owners.map(async (owner) => {
          for (const player of owner.players) await visit.login(player);
        }),
      );
    },
  };
}
