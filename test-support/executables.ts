import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Servers live in /usr/sbin, which is not on the PATH of an ordinary user. */
export const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/bin'];

/**
 * Thrown if a test needs a program that is not installed. The runner counts such a test as not tried if the program cannot be
 * installed.
 */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram';
  readonly program: string;

  constructor(program: string) {
    super(`${program} is not installed: run "node scripts/setup.ts"`);
    this.program = program;
  }
}

export function findExecutable(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

export function requireExecutable(name: string): string {
  const path = findExecutable(name);
  if (path === undefined) throw new MissingProgram(name);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
