import { adminRoutes, type ListedControl, type ListedDenyEntry } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { pathId } from '../../../http/paging.ts';
import { parseTime, timeText, timeTextOrNull } from '../../../runtime/time.ts';
import { maskAddress } from '../../../security/masking.ts';
import type { DenyEntry } from '../store.ts';
import type { ListedControl as Control } from './change.ts';
import type { ControlAdmin } from './module.ts';

interface ControlRouteDeps {
  readonly controls: ControlAdmin;
  /** Applies the change on this instance immediately; others see it at their next poll. */
  readonly refresh: () => Promise<void>;
}

export function controlAdminRoutes(app: FastifyInstance, { controls, refresh }: ControlRouteDeps): void {
  mount(app, adminRoutes.listControls, async ({ operator }) => {
    const inFull = operator.permissions.has('personal');
    const list = await controls.list();
    return {
      controls: list.controls.map(listedControl),
      deny_ip: list.denied.map((entry) => listedEntry(entry, inFull)),
    };
  });
  mount(app, adminRoutes.setControl, async ({ params, body, operator }) => {
    const change = { ...params, ...body, until: endOf(body) };
    return { audit_id: await controls.set(operator.actor, change).finally(refresh) };
  });
  mount(app, adminRoutes.clearControl, async ({ params, body, operator }) => ({
    audit_id: await controls.clear(operator.actor, { ...params, ...body }).finally(refresh),
  }));
  mount(app, adminRoutes.addDenyEntry, async ({ body, operator }) => {
    const entry = { ...body, until: endOf(body) };
    const { id, auditId } = await controls.deny(operator.actor, entry).finally(refresh);
    return answered(201, { id, audit_id: auditId });
  });
  mount(app, adminRoutes.removeDenyEntry, async ({ params, body, operator }) => ({
    audit_id: await controls.allow(operator.actor, { ...body, id: pathId(params.id) }).finally(refresh),
  }));
}

const endOf = ({ until = null }: { until?: string | null }) => parseTime(until);

function listedControl({ name, setting, override }: Control): ListedControl {
  return {
    name,
    value: (override?.value ?? null) as ListedControl['value'],
    setting: setting as ListedControl['setting'],
    until: timeTextOrNull(override?.until ?? null),
    by: override?.by ?? null,
    at: timeTextOrNull(override?.at ?? null),
    reason: override?.reason ?? null,
  };
}

function listedEntry({ id, entry, until, by, at, reason }: DenyEntry, inFull: boolean): ListedDenyEntry {
  const [first = ''] = entry.split(/[/-]/);
  const shown = inFull ? entry : maskAddress(first.trim());
  return { id, entry: shown, until: timeTextOrNull(until), by, at: timeText(at), reason };
}
