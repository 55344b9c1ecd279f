import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { findExecutable } from '../test-support/executables.ts';
import { blocksOf, type Secrets, type Step, stepsFor } from './install/page.ts';
import {
  afterPackages,
  CERTIFICATE,
  PUBLIC_NAME,
  prepare,
  startSurroundings,
  waitUntilReady,
} from './install/prepare.ts';
import { mustRun, openTree, type Ran, type Tree } from './install/tree.ts';

const usage = `npm run test:install -- [PAGE] [--package FILE]
Runs the blocks of an install page (docs/install.md unless said otherwise), in order, in a fresh Debian with MariaDB, Redis and
nginx. With --package the release FILE is installed instead of a copy of the repository. Needs root, debootstrap and a network.`;

const root = resolve(import.meta.dirname, '..');
const DOCTOR_LOOKS = 5;
const SETTINGS = '/etc/gatehouse/gatehouse.toml';

/** Merges the tables of the page's block into the settings file, keeping its owner and mode. */
function changeSettings(tree: Tree, block: string): void {
  const file = tree.path(SETTINGS);
  const settings = parse(readFileSync(file, 'utf8'));
  for (const [table, values] of Object.entries(parse(block)))
    settings[table] = { ...(settings[table] as TomlTable | undefined), ...(values as TomlTable) };
  writeFileSync(file, stringify(settings));
}

function runBlock(tree: Tree, step: Step, text: string): Ran {
  if (step.how === 'sql') return mustRun(tree.run(`mariadb <<'SQL'\n${text}SQL`));
  const folder = '/run/install-page-folder';
  const script = `cd "$(cat ${folder} 2>/dev/null || echo /root)"\nset -e\n${text}pwd > ${folder}\n`;
  // Node does not know the certificate's authority.
  const env = [`NODE_EXTRA_CA_CERTS=${CERTIFICATE}`];
  const run = (lines: string) => tree.run(lines, { network: step.how === 'network', env });
  let ran = run(script);
  if (!/^gatehouse doctor$/m.test(text)) return mustRun(ran);
  // Doctor allows a few seconds per check; on a busy machine a second run may pass.
  for (let looks = 1; looks < DOCTOR_LOOKS && !isWell(ran, step); looks++) ran = run('gatehouse doctor');
  if (!isWell(ran, step)) throw new Error(`doctor finds more than it may here:\n${ran.output}`);
  return ran;
}

function isWell({ status, output }: Ran, { mayFail = [] }: Step): boolean {
  const failed = [...output.matchAll(/^failed +(.+?) {2}/gm)].map(([, check]) => check ?? '');
  return (
    failed.every((check) => mayFail.includes(check)) && (status === 0 || (status === 1 && failed.length > 0))
  );
}

async function follow(tree: Tree, page: string, packageFile: string | undefined): Promise<void> {
  const secret = () => randomBytes(12).toString('hex');
  const secrets: Secrets = {
    database: secret(),
    games: secret(),
    mail: secret(),
    passwordKey: secret(),
    jwtSecret: '',
  };
  let surroundings: Awaited<ReturnType<typeof startSurroundings>> | undefined;
  const blocks = blocksOf(readFileSync(page, 'utf8')).map((block) => {
    const [step, ...others] = stepsFor(block);
    if (!step || others.length > 0) throw new Error(`not one step for this block:\n${block.text}`);
    return { ...block, step };
  });
  const otherWay = blocks.find(({ step }) => step.how === 'other way')?.text ?? '';

  prepare(tree, packageFile);
  for (const { heading, text, step } of blocks) {
    if (step.how === 'other way') continue;
    let adapted = step.adapt?.(text, secrets) ?? text;
    if (step.name === 'service' && packageFile !== undefined)
      adapted = adapted.replace(/^git clone .*\n.*npm ci.*\n/m, () => otherWay);
    const began = Date.now();
    if (step.how === 'settings') changeSettings(tree, adapted);
    else {
      const { output } = runBlock(tree, step, adapted);
      if (step.name === 'packages') afterPackages(tree);
      if (step.name === 'systemd') waitUntilReady(tree);
      if (step.name === 'settings file') secrets.jwtSecret = output.trim().split('\n').at(-1) ?? '';
      if (/doctor/.test(step.matches.source)) console.log(output.trimEnd().replace(/^/gm, '    '));
    }
    if (step.name === 'game databases') surroundings = await startSurroundings(tree, secrets);
    console.log(
      `ok  ${heading}: ${step.name} (${((Date.now() - began) / 1000).toFixed(1)} s)${step.replaced ? `; replaced: ${step.replaced}` : ''}`,
    );
  }
  const visited = await surroundings?.visit();
  if (visited !== 'ok') throw new Error(`a player at https://${PUBLIC_NAME}: ${visited}`);
  console.log(`ok  a player registered and logged in at https://${PUBLIC_NAME}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: 'string' } },
});
const missing = ['debootstrap', 'unshare', 'nsenter', 'ip', 'git'].filter((each) => !findExecutable(each));
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.error(`${usage}\nmissing: ${missing.join(', ') || 'root'}`);
  process.exit(1);
}
const tree = await openTree({
  cache: join(root, 'node_modules/.cache/install'),
  addresses: ['10.0.0.5', '10.0.0.10'],
});
try {
  await follow(tree, resolve(positionals[0] ?? join(root, 'docs/install.md')), values.package);
} catch (error) {
  console.error(`failed: ${(error as Error).message}`);
  const log = tree.run('tail -n 20 /var/log/gatehouse.journal').output;
  console.error(log);
  process.exitCode = 1;
} finally {
  tree.close();
}
process.exit();
