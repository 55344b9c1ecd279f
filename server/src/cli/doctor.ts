import type { Command } from 'commander';
import { type Chosen, command } from './context.ts';

export function doctorCommand(): Command {
  return command('doctor', 'check the installation').action((_options: Chosen) => {});
}
