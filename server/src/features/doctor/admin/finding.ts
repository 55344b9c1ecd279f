export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** How to fix it. Every failure has one. */
  readonly fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });

export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'warning',
  detail,
  fix,
});

export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'failed',
  detail,
  fix,
});

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A failed connection to several addresses has no message, only a code.
  return (error.message || String(Reflect.get(error, 'code') ?? error.name)).split('\n')[0] ?? '';
}
