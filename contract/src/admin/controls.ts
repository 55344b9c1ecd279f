import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, Reason } from './list.ts';

/** Settings that operators can override temporarily. */
export const controlNames = ['day_max_reg', 'withdraw.enabled'] as const;
export type ControlName = (typeof controlNames)[number];

const Value = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Boolean()]);
const Until = orNull(Type.String({ format: 'date-time', description: 'When it ends automatically.' }));

const ListedControl = strict({
  name: Type.Enum(controlNames),
  value: orNull(Value),
  setting: Value,
  until: orNull(Time),
  by: orNull(Type.String()),
  at: orNull(Time),
  reason: orNull(Type.String()),
});
export type ListedControl = Static<typeof ListedControl>;

const ListedDenyEntry = strict({
  id: Type.Integer(),
  entry: Type.String(),
  until: orNull(Time),
  by: Type.String(),
  at: Time,
  reason: orNull(Type.String()),
});
export type ListedDenyEntry = Static<typeof ListedDenyEntry>;

const operator = { auth: 'operator', tag: 'controls' } as const;
const write = { ...operator, permission: 'controls.write' } as const;
const ofName = strict({ name: Type.String({ minLength: 1, maxLength: 64 }) });

const listControls = route({
  ...operator,
  permission: 'read',
  method: 'GET',
  path: '/api/admin/controls',
  summary:
    'List the overrides of the settings file (`value` overrides `setting`, or is null) and the deny entries',
  answers: {
    200: {
      description: 'Every control, and the current deny entries apart from those in the settings file',
      schema: strict({ controls: Type.Array(ListedControl), deny_ip: Type.Array(ListedDenyEntry) }),
    },
  },
  refusals: [],
});

const setControl = route({
  ...write,
  method: 'PUT',
  path: '/api/admin/controls/:name',
  audit: 'control.set',
  summary: 'Override a setting on every instance within seconds, until the override ends or is cleared',
  params: ofName,
  body: strict({ value: Value, until: Type.Optional(Until), reason: Reason }),
  answers: { 200: { description: 'In effect', schema: audited({}) } },
  refusals: ['not_found'],
});

const clearControl = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/controls/:name',
  audit: 'control.clear',
  summary: 'Remove an override; the settings file applies again',
  params: ofName,
  body: strict({ reason: Reason }),
  answers: { 200: { description: 'Cleared', schema: audited({}) } },
  refusals: ['not_found'],
});

const addDenyEntry = route({
  ...write,
  method: 'POST',
  path: '/api/admin/controls/deny_ip',
  audit: 'deny.add',
  summary: 'Deny an address, a CIDR block or a range, in addition to deny_ip in the settings file',
  body: strict({ entry: line(1, 100), until: Type.Optional(Until), reason: Reason }),
  answers: { 201: { description: 'Denied', schema: audited({ id: Type.Integer() }) } },
  refusals: ['would_lock_out'],
});

const removeDenyEntry = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/controls/deny_ip/:id',
  audit: 'deny.remove',
  summary: 'Remove a deny entry',
  params: strict({ id: Type.String({ minLength: 1, maxLength: 20 }) }),
  body: strict({ reason: Reason }),
  answers: { 200: { description: 'Removed', schema: audited({}) } },
  refusals: ['not_found'],
});

export const controlRoutes = { listControls, setControl, clearControl, addDenyEntry, removeDenyEntry };
