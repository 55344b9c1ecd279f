import type { JsonSchema } from '@gatehouse/contract';

const DAY = '2026-11-17';
const TIME = `${DAY}T12:00:00.000Z`;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl';

/** Example values by field name. A value that does not fit the field's schema is left out. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
  account: ['lantern_keeper'],
  password: ['lanterns-at-night'],
  old_password: ['lanterns-at-dusk'],
  temporary_password: ['Fog-Gate-4711'],
  email: ['keeper@example.com'],
  code: ['394021', 'invalid_token', 'ok'],
  token: [JWT],
  name: ['Lantern Bay', 'zhang.wei', 'day_max_reg'],
  device: ['phone'],
  os: ['Android'],
  browse: ['Chrome'],
  address: ['203.0.113.7'],
  ip: ['203.0.113.7'],
  port: [7001],
  server_id: [1],
  server_ids: [[1, 2]],
  player_id: [42],
  role: ['Swordsman', 7, 'support'],
  role_id: [7],
  role_name: ['Swordsman'],
  level: [61, 'info'],
  amount: [100],
  content: ['The gate is open!'],
  channel: ['world'],
  connect_id: ['8821'],
  provider: ['forum'],
  ticket: ['Zk3…', 'Zk3b9QnXw0'],
  challenge: ['n2V7bWq8'],
  'idempotency-key': ['0d9c1f3a-52b7-4e0e-9a4f-6c1d2e3f4a5b'],
  withdraw_id: ['5b0c91fe-6a3d-4c2f-8e7d-1a2b3c4d5e6f'],
  request_id: ['5b0c91fe-6a3d-4c2f-8e7d-1a2b3c4d5e6f'],
  id: [17, '17', 'forum'],
  agent_id: [3, '3'],
  reason: ['Asked by the player'],
  message: ['Back at 14:00'],
  title: ['Maintenance tonight'],
  body: ['The zones are closed from 02:00 to 04:00.'],
  text: ['Called twice about the lost phone.'],
  url: ['https://example.com/hook', '/help'],
  gm_url: ['http://10.0.0.7:8080/gm'],
  database_url: ['mysql://reader:secret@10.0.0.7:3306'],
  launch_url: ['https://game.example.com/'],
  secret: ['JBSWY3DPEHPK3PXP', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  otpauth_url: ['otpauth://totp/Gatehouse:lantern_keeper?secret=JBSWY3DPEHPK3PXP'],
  recovery_codes: [['k3xq-9dfm', 'p7wz-2hcn']],
  invitation: ['Vq1c9mJ0'],
  day: [DAY],
  currency: ['元宝'],
  version: ['1.0.0'],
  agent: ['Mozilla/5.0 (Linux; Android 15)'],
  accent: ['#f2b65c'],
  entry: ['203.0.113.0/24'],
  expires_in: [60],
  resend_after: [60],
  expires_at: [TIME],
  state: ['done', 'unknown'],
  days: [90],
};

type Check = (schema: JsonSchema, value: unknown) => boolean;

/** Builds an example that fits a schema, as `fits` judges it. Optional fields are included unless nothing fits. */
export function createExamples(fits: Check) {
  function exampleOf(schema: JsonSchema, name = ''): unknown {
    const named = byName[name]?.find((value) => fits(schema, value));
    if (named !== undefined) return named;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, name);
    if (schema.type === 'array')
      return Array(schema.minItems ?? 1).fill(exampleOf(schema.items ?? {}, singular(name)));
    if (schema.type === 'object') return objectOf(schema);
    if (schema.type === 'boolean') return true;
    if (schema.type === 'null') return null;
    if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, 1);
    return textOf(schema);
  }

  function objectOf(schema: JsonSchema): Record<string, unknown> {
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      exampleOf(field, name),
    ]);
    const whole = Object.fromEntries(fields);
    if (fits(schema, whole)) return whole;
    const required = new Set(schema.required ?? []);
    return Object.fromEntries(fields.filter(([name]) => required.has(name as string)));
  }

  function textOf(schema: JsonSchema): string {
    const texts = [
      TIME,
      DAY,
      'text',
      'example',
      '1',
      'https://example.com/',
      'a'.repeat(schema.minLength ?? 1),
    ];
    if (schema.format === 'date-time') return TIME;
    return (
      texts
        .slice(2)
        .concat(texts.slice(0, 2))
        .find((each) => fits(schema, each)) ?? ''
    );
  }

  return exampleOf;
}

const singular = (name: string) => name.replace(/s$/, '');
