/** The logger's interface. Depend only on the levels you use: `Pick<Log, 'warn'>`. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
