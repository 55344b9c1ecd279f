import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { openDatabase } from '../src/db/open.ts';
import { clientFrom } from './support/client.ts';

const line = { server_id: 1, role: '战士', content: '大家好' };

describeOnEngines('chat writes', (engine) => {
  test('when the service is killed during reports, then every acknowledged record is stored', async () => {
    const url = await engine.freshUrl();
    const service = await startGatehouse({ settings: { database: { url }, trust_proxy: ['127.0.0.1'] } });
    const acknowledged = new Set<string>();
    let reporting = true;
    const reporters = Array.from({ length: 16 }, async (_, reporter) => {
      for (let round = 0; reporting; round++) {
        const content = `${reporter}-${round}`;
        try {
          const { status } = await clientFrom(service.url, '127.0.0.1').post('/api/report/chat', {
            ...line,
            content,
          });
          if (status === 200) acknowledged.add(content);
        } catch {
          await sleep(20);
        }
      }
    });
    for (let kills = 0; kills < 3; kills++) {
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 50);
      await service.kill();
      await service.restart();
    }
    reporting = false;
    await Promise.all(reporters);
    await service.stop();
    const db = await openDatabase(url);
    const kept = new Set(
      (await db.kysely.selectFrom('chat').select('content').execute()).map((row) => row.content),
    );
    await db.close();
    expect([...acknowledged].filter((content) => !kept.has(content))).toEqual([]);
  });
});
