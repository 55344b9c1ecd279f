import type { Command } from 'commander';
import { AREAS, type Area } from '../features/doctor/admin/finding.ts';
import { settingsFile } from '../settings/load.ts';
import { command, type Options, oneOf } from './context.ts';
import { say } from './language.ts';
import { print, printLine } from './output.ts';

export function doctorCommand(): Command {
  return command('doctor')
    .option('--only <areas>', `check only these areas, comma separated: ${AREAS.join(', ')}`, areas)
    .action(async (options: Options & { only?: Area[] }) => {
      const [{ openDoctorAdmin }, { BUILT_PAGES }] = await Promise.all([
        import('../features/doctor/admin/module.ts'),
        import('../features/site/pages.ts'),
      ]);
      const doctor = openDoctorAdmin({ pagesFolder: BUILT_PAGES });
      const findings = await doctor.examine({ file: settingsFile(options.config), only: options.only });
      if (findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
      if (options.json) return printLine(JSON.stringify(findings, null, 2));

      print(findings.map(({ status, check, detail }) => ({ status, check, detail: say(detail) })));
      for (const { check, fix } of findings) if (fix !== undefined) printLine(`fix: ${check}: ${fix}`);
      const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
      printLine(`${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed`);
    });
}

const area = oneOf(AREAS);
const areas = (text: string): Area[] => text.split(',').map((each) => area(each.trim()) as Area);
