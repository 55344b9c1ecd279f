import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@gatehouse/simulators/random';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { serviceEntry } from '../../test-support/gatehouse.ts';
import { opened } from './db/opened.ts';
import { importFixture, OLD_KEY, oldHash } from './support/import-fixture.ts';
import { oldDatabase } from './support/old-database.ts';

const ROWS = 40_000;
const KILLS = 10;
const SEED = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));

/** The first tier kills one import at a known point: import.test.ts. */
describeOnEngines('an import that is killed again and again', (engine) => {
  test(`when it is killed ${KILLS} times at random, then it ends as if it had never been killed (KILL_SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const key = (text: string) => `MD5(CONCAT(${text}, '${OLD_KEY}'))`;
    const old = await oldDatabase(
      'CREATE TABLE members (uid INT PRIMARY KEY, account VARCHAR(50), password_hash CHAR(32), email VARCHAR(90))',
      `INSERT INTO members SELECT seq, CONCAT('player', seq), ${key('seq')}, CONCAT(seq, '@x.io') FROM seq_1_to_${ROWS}`,
    );
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const options = ['--from', old.url, '--table', 'members', '--apply', '--batch', '100'];

    async function killSoon(): Promise<boolean> {
      const command = [serviceEntry(), 'import', ...options, '--config', fixture.config];
      const child = spawn(process.execPath, command, { cwd: fixture.folder, stdio: 'ignore' });
      const ended = once(child, 'close');
      // The moment is random on purpose; what must hold does not depend on it.
      await Promise.race([sleep(300 + random() * 4000), ended]);
      const wasRunning = child.exitCode === null;
      child.kill('SIGKILL');
      await ended;
      return wasRunning;
    }

    let killed = 0;
    for (let round = 0; round < KILLS; round++) {
      killed += Number(await killSoon());
      // Rows change there in between: half by password, half by e-mail.
      await old.connection.query(
        `UPDATE members SET password_hash = IF(uid % 2, ${key(`CONCAT('r${round}-', uid)`)}, password_hash),
           email = IF(uid % 2, email, 'r${round}-@x.io') WHERE uid % ${KILLS} = ${round}`,
      );
    }
    expect(killed).toBeGreaterThan(0);
    expect(await fixture.summary(...options)).toMatchObject({
      read: ROWS,
      kept: 0,
      refused: 0,
      conflicts: 0,
    });
    expect(await fixture.summary(...options)).toMatchObject({ added: 0, updated: 0, unchanged: ROWS });

    const db = await opened(url);
    const players = await db.kysely
      .selectFrom('player')
      .select(['account', 'password_hash', 'email', 'token_version'])
      .orderBy('id')
      .execute();
    expect(players).toHaveLength(ROWS);
    expect(new Set(players.map(({ account }) => account)).size).toBe(ROWS);
    const wrong = players.filter(({ account, password_hash, email, token_version }) => {
      const uid = Number(account.slice('player'.length));
      const round = uid % KILLS;
      const password = uid % 2 ? oldHash(`r${round}-${uid}`) : oldHash(String(uid));
      // A password that changed once ends the tokens at most once.
      return (
        password_hash !== password ||
        email !== (uid % 2 ? `${uid}@x.io` : `r${round}-@x.io`) ||
        token_version > uid % 2
      );
    });
    expect(wrong).toEqual([]);
  }, 600_000);
});
