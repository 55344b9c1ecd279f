import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Route, routes } from '@gatehouse/contract';
import { parseYaml } from '@redocly/openapi-core';
import { Errors } from 'typebox/schema';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startNginx } from '../../test-support/nginx.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { loadCommands } from '../src/cli/program.ts';
import { START_WITHIN_MS } from '../src/cli/workers.ts';
import { STOP_TIMEOUT_MS } from '../src/main.ts';
import { loadSettings } from '../src/settings/load.ts';
import { renderTemplate } from './support/helm-template.ts';
import { kinds } from './support/kubernetes.ts';

// No container is started here, because neither Docker nor Kubernetes is available in the tests.

type Table = { readonly [name: string]: unknown };

const deploy = resolve(import.meta.dirname, '../../deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const yaml = (text: string) => parseYaml(text) as Table;
const paths = Object.values<Route>(routes).map(({ path }) => path);
const seconds = (text: unknown) => Number(/^(\d+)s$/.exec(String(text))?.[1]);

async function expectCommand(args: unknown): Promise<void> {
  const names = (await loadCommands()).map((command) => command.name());
  expect(names).toContain((args as string[])[0]);
}

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly depends_on?: { readonly [service: string]: { readonly condition: string } };
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly restart: string;
}

const SERVICE_KEYS =
  'build cap_drop command depends_on environment healthcheck image logging networks ports read_only restart security_opt stop_grace_period tmpfs volumes';

/** The compose file with the user's values filled in, as `docker compose config` shows it. */
function compose(values: { readonly [name: string]: string }) {
  const text = read('compose.yaml').replace(
    /\$\{(\w+)(:\?|:-([^}]*))?\}/g,
    (_all, name: string, _rule: string, otherwise?: string) => {
      const value = values[name] ?? otherwise;
      if (value === undefined) throw new Error(`${name} is missing`);
      return value;
    },
  );
  return yaml(text) as { services: { [name: string]: ComposeService }; volumes: Table };
}

const composeValues = {
  PASSWORD_KEY: 'old-generation-key',
  JWT_SECRET: 'j'.repeat(64),
  SEAL_KEY: 's'.repeat(64),
  DB_PASSWORD: 'd'.repeat(48),
  REDIS_PASSWORD: 'r'.repeat(48),
  ZONES_DATABASE_URL: 'mysql://gatehouse_games:password@10.0.0.40:3306',
  CLIENT_URL: 'https://client.example.com/',
  PUBLIC_URL: 'https://play.example.com',
  MAIL_URL: 'smtp://user:password@smtp.example.com:587',
};

test('when the compose file is parsed, then its keys are known, and each value of the user is described at its top', () => {
  const { services } = compose(composeValues);
  for (const [name, service] of Object.entries(services)) {
    expect({
      name,
      unknown: Object.keys(service).filter((key) => !SERVICE_KEYS.split(' ').includes(key)),
    }).toEqual({ name, unknown: [] });
    expect(service.image).toMatch(/^[a-z]+:\d+\.\d+\.\d+$/);
    for (const other of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(other);
  }
  const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const described = [...read('compose.yaml').matchAll(/^# {3}([A-Z_]+)= /gm)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(described));
  expect(() => compose({ ...composeValues, JWT_SECRET: undefined as never })).toThrow('JWT_SECRET');
  expect(services['gatehouse-1']?.image).toBe(`gatehouse:${manifest.version}`);
});

test('when the compose file starts its instances, then one migration comes first, with valid settings and enough time to stop', async () => {
  const { services, volumes } = compose(composeValues);
  const { migrate, nginx, database, redis } = services;
  for (const name of ['gatehouse-1', 'gatehouse-2', 'migrate']) {
    const service = services[name] as ComposeService;
    const settings = loadSettings(undefined, service.environment);
    expect(settings.host).toBe('0.0.0.0');
    expect(settings.trust_proxy).toEqual([nginx?.networks?.default.ipv4_address]);
    expect(settings.chat.from).toBe('game_servers');
    expect(new URL(settings.database.url).password).toBe(database?.environment?.MARIADB_PASSWORD);
    expect(redis?.command).toContain(new URL(settings.redis.url ?? '').password);
    expect(seconds(service.stop_grace_period) * 1000).toBeGreaterThan(STOP_TIMEOUT_MS);
    if (name === 'migrate') continue;
    expect(service.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(nginx?.depends_on?.[name]).toEqual({ condition: 'service_healthy' });
    // Without a command, the image serves.
    expect(service.command).toBeUndefined();
  }
  expect(read('Dockerfile')).toMatch(/^CMD \["serve"\]$/m);
  await expectCommand(migrate?.command);
  expect(migrate).toMatchObject({
    restart: 'no',
    depends_on: { database: { condition: 'service_healthy' } },
    healthcheck: { disable: true },
  });
  expect(Object.keys(volumes)).toEqual(['database']);
  const [probed] = nginx?.healthcheck?.test.slice(-1) ?? [];
  expect(paths).toContain(new URL(probed ?? '').pathname);
  expect(paths).toContain(/127\.0\.0\.1:3001([\w/]+)/.exec(read('Dockerfile'))?.[1]);
});

test('when nginx of the compose file starts, then it has both instances, each also as a backup', async () => {
  const { services } = compose(composeValues);
  const folder = tempDir('compose');
  mkdirSync(join(folder, 'conf.d'));
  writeFileSync(join(folder, 'gatehouse.conf.in'), read('nginx.conf'));
  const [, , script = ''] = services.nginx?.command ?? [];
  const [change = '', start] = script.split('\nexec ');
  expect(start).toContain('nginx -g');
  execFileSync('sh', ['-euc', change.replaceAll('/etc/nginx/', `${folder}/`)]);

  const made = readFileSync(join(folder, 'conf.d/default.conf'), 'utf8');
  for (const name of ['gatehouse-1', 'gatehouse-2']) {
    const address = services[name]?.networks?.default.ipv4_address;
    expect(made).toContain(`server ${address}:3001 max_fails=2 fail_timeout=2s;`);
    expect(made).toContain(`server ${address}:3001 max_fails=0 backup;`);
  }
  const port = await freePort();
  const conf = made
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/dev/stdout', 'access.log')
    .replace('/var/cache/gatehouse-nginx', 'cache')
    .replaceAll('include gatehouse_proxy.conf', `include ${join(deploy, 'gatehouse_proxy.conf')}`);
  const nginx = await startNginx({ conf });
  onTestFinished(() => nginx.stop());
  expect((await fetch(`http://127.0.0.1:${port}/api.php`)).status).toBe(404);
});

const chart = (file: string) => read(`helm/gatehouse/${file}`);
const defaults = yaml(chart('values.yaml'));

const userValues = {
  image: { repository: 'registry.example.com/gatehouse', tag: '0.2.0' },
  settings: {
    GATEHOUSE_PUBLIC_URL: 'https://play.example.com',
    GATEHOUSE_TRUST_PROXY: '10.244.0.0/16',
    GATEHOUSE_CLIENT_URL: 'https://client.example.com/',
  },
  secrets: {
    GATEHOUSE_DATABASE_URL: 'mysql://gatehouse:password@mariadb:3306/gatehouse',
    GATEHOUSE_REDIS_URL: 'redis://:password@redis:6379',
    GATEHOUSE_AUTH_PASSWORD_KEY: 'old-generation-key',
    GATEHOUSE_AUTH_JWT_SECRET: 'j'.repeat(64),
    GATEHOUSE_MAIL_URL: 'smtp://user:password@smtp.example.com:587',
  },
  ingress: { host: 'play.example.com', tlsSecret: 'play-tls' },
};

function merge(under: Table, over: Table): Table {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over))
    merged[key] = isTable(value) && isTable(under[key]) ? merge(under[key], value) : value;
  return merged;
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueErrors(values: Table): unknown[] {
  return Errors(JSON.parse(chart('values.schema.json')), merge(defaults, values))[1];
}

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: { readonly [name: string]: string } };
  readonly data?: { readonly [name: string]: string };
  readonly stringData?: { readonly [name: string]: string };
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the kind, and the schemas have checked it
  readonly spec: any;
}

/** Renders the chart as `helm template` does, for an installation named gatehouse. */
function render(values: Table): KubernetesObject[] {
  const scope = { Values: merge(defaults, values), Release: { Name: 'gatehouse' } };
  return globSync('helm/gatehouse/templates/*.yaml', { cwd: deploy })
    .sort()
    .map((file) => renderTemplate(read(file), scope))
    .filter((text) => text.trim() !== '')
    .map((text) => yaml(text) as unknown as KubernetesObject);
}

function errorsOf(object: KubernetesObject): unknown[] {
  const schema = kinds[object.kind];
  return schema === undefined ? [`unknown kind ${object.kind}`] : Errors(schema, object)[1];
}

const only = (objects: readonly KubernetesObject[], kind: string, name = 'gatehouse') => {
  const [object] = objects.filter((each) => each.kind === kind && each.metadata.name === name);
  if (object === undefined) throw new Error(`there is no ${kind} ${name}`);
  return object;
};

test.each([
  ['secrets in the values', userValues],
  [
    'the values of docs/install.md',
    yaml(/```yaml\n([\s\S]*?)```/.exec(read('../docs/install.md'))?.[1] ?? ''),
  ],
  [
    'everything optional',
    merge(userValues, {
      image: { pullSecrets: [{ name: 'registry' }] },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'games', operator: 'Exists', effect: 'NoSchedule' }],
    }),
  ],
  [
    'neither ingress nor migration',
    merge(userValues, { ingress: { enabled: false }, migration: { enabled: false } }),
  ],
])(
  'when the chart is rendered with %s, then every object has only fields that Kubernetes knows',
  (_title, values) => {
    expect(valueErrors(values)).toEqual([]);
    const objects = render(values);
    for (const object of objects)
      expect({ object, errors: errorsOf(object) }).toEqual({ object, errors: [] });
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  },
);

test('when the values or an object are wrong, then an error is reported', () => {
  expect(valueErrors({ ...userValues, image: { repository: '', tag: '' } })).not.toEqual([]);
  expect(valueErrors({ ...userValues, secrets: {} })).not.toEqual([]);
  expect(valueErrors({ ...userValues, ingress: {} })).not.toEqual([]);
  expect(valueErrors({ ...userValues, replica: 3 })).not.toEqual([]);
  expect(valueErrors(merge(userValues, { settings: { GATEHOUSE_DAY_MAX_REG: 5000 } }))).not.toEqual([]);
  const deployment = structuredClone(only(render(userValues), 'Deployment'));
  deployment.spec.template.spec.containers[0].readinesProbe = {};
  expect(errorsOf(deployment)).not.toEqual([]);
});

test('when the chart is installed, then pods get valid settings, and migrations run first with the same', async () => {
  const objects = render(userValues);
  const { data } = only(objects, 'ConfigMap');
  const { stringData } = only(objects, 'Secret');
  const env = { ...data, ...stringData };
  expect(loadSettings(undefined, env)).toMatchObject({
    host: '0.0.0.0',
    port: 3001,
    chat: { from: 'game_servers' },
    withdraw: { hold_after_reset: 3600 },
  });
  const refusal = 'is not a setting';
  expect(() => loadSettings(undefined, { ...env, GATEHOUSE_NO_SUCH: '1' })).toThrow(refusal);
  for (const [, name = ''] of chart('values.yaml').matchAll(/\b(GATEHOUSE_\w+): /g))
    expect(() => loadSettings(undefined, { ...env, [name]: '\n' })).not.toThrow(refusal);

  const [copy, job] = [
    only(objects, 'Secret', 'gatehouse-migrate'),
    only(objects, 'Job', 'gatehouse-migrate'),
  ];
  expect(copy.stringData).toEqual(env);
  const weights = [copy, job].map(({ metadata }) => {
    expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    return Number(metadata.annotations?.['helm.sh/hook-weight']);
  });
  expect(weights[0]).toBeLessThan(weights[1] as number);
  const [migrating] = job.spec.template.spec.containers;
  const [serving] = only(objects, 'Deployment').spec.template.spec.containers;
  expect([migrating.args, serving.args]).toEqual([['migrate'], ['serve']]);
  for (const { args } of [migrating, serving]) await expectCommand(args);
  expect(migrating.image).toBe(serving.image);
  expect(migrating.envFrom).toEqual([{ secretRef: { name: copy.metadata.name } }]);

  const own = render({ ...userValues, secrets: {}, existingSecret: 'my-secret' });
  const sources = (kind: string, name?: string) =>
    only(own, kind, name).spec.template.spec.containers[0].envFrom;
  expect(sources('Deployment')).toEqual([
    { configMapRef: { name: 'gatehouse' } },
    { secretRef: { name: 'my-secret' } },
  ]);
  expect(sources('Job', 'gatehouse-migrate')).toContainEqual({ secretRef: { name: 'my-secret' } });
});

test('when pods start, stop or are contacted, then probes, limits and names match the service', () => {
  const objects = render(userValues);
  const { replicas, selector, template } = only(objects, 'Deployment').spec;
  const { containers, terminationGracePeriodSeconds, enableServiceLinks } = template.spec;
  const [{ startupProbe, livenessProbe, readinessProbe, lifecycle, ports, securityContext }] = containers;
  expect(replicas).toBe(2);
  expect(enableServiceLinks).toBe(false);
  expect(securityContext.readOnlyRootFilesystem).toBe(true);
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect(paths).toContain(httpGet.path);
    expect(httpGet.port).toBe(ports[0].name);
  }
  expect(readinessProbe.httpGet.path).toBe('/api/health/ready');
  // A dependency that is down must not restart the pods.
  expect(livenessProbe.httpGet.path).toBe('/api/health/live');

  // Nothing is killed in the middle of a migration or of a stop.
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold * 1000).toBeGreaterThanOrEqual(
    START_WITHIN_MS,
  );
  const { activeDeadlineSeconds } = only(objects, 'Job', 'gatehouse-migrate').spec;
  expect(activeDeadlineSeconds * 1000).toBeGreaterThanOrEqual(START_WITHIN_MS);
  const [, pause] = lifecycle.preStop.exec.command;
  expect((terminationGracePeriodSeconds - pause) * 1000).toBeGreaterThan(STOP_TIMEOUT_MS);

  const { labels } = template.metadata;
  const service = only(objects, 'Service').spec;
  for (const selected of [
    selector.matchLabels,
    service.selector,
    only(objects, 'PodDisruptionBudget').spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(selected);
  // The pods of the migration are not among those that serve.
  expect(only(objects, 'Job', 'gatehouse-migrate').spec.template.metadata.labels).not.toMatchObject(
    service.selector,
  );
  expect(service.ports).toMatchObject([{ targetPort: ports[0].name }]);
  const [{ http }] = only(objects, 'Ingress').spec.rules;
  expect(http.paths[0].backend.service).toEqual({ name: 'gatehouse', port: { name: service.ports[0].name } });
  expect(yaml(chart('Chart.yaml'))).toMatchObject({ name: 'gatehouse', appVersion: manifest.version });
});
