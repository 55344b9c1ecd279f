import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { adminOpenApiDocument, openApiDocument } from '../src/http/docs/openapi.ts';

vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, '../..');
const url = 'https://play.gatehouse.test';
const documents = {
  players: openApiDocument(routes, url),
  operators: adminOpenApiDocument(adminRoutes, url),
};

/** Forum logins answer only with redirects; the names of tags describe them. */
const rules = { 'operation-2xx-response': 'off', 'tag-description': 'off' } as const;

/** Generated clients, each written into a folder. */
const generators: Record<string, (input: string, output: string) => string[]> = {
  'openapi-typescript': (input, output) => ['openapi-typescript', input, '-o', join(output, 'types.ts')],
  '@hey-api/openapi-ts': (input, output) => ['openapi-ts', '-i', input, '-o', output],
};

for (const [name, document] of Object.entries(documents)) {
  test(`when redocly lints the document of ${name}, then it reports nothing`, async () => {
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test.each(Object.entries(generators))(
    `when %s generates a client of ${name}, then it compiles`,
    (_, command) => {
      const folder = tempDir('generated');
      const input = join(folder, 'openapi.json');
      writeFileSync(input, JSON.stringify(document));
      const [program = '', ...args] = command(input, folder);
      const run = (bin: string, ...rest: string[]) => {
        const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', bin), rest, {
          cwd: folder,
          encoding: 'utf8',
        });
        expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
      };
      run(program, ...args);
      const options = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        module: 'nodenext',
        moduleResolution: 'bundler',
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.iterable'],
        types: [],
      };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...options, module: 'esnext' }, include: ['**/*.ts'] }),
      );
      run('tsc', '-p', folder);
    },
  );
}
