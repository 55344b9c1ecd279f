import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';

export const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts a small file system in memory, unmounted after the test. Needs root. */
export function smallDisk(megabytes: number): string {
  const folder = tempDir('disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}
