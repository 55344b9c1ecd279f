import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from '../../../settings/schema.ts';
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts';
import type { Tools } from './tools.ts';

const MIN_NODE = [26, 0] as const;

/** Examines what depends on no setting. */
export function examineInstallation({ pagesFolder }: Pick<Tools, 'pagesFolder'>): Finding[] {
  return [nodeVersion(process.versions.node), pages(pagesFolder)];
}

/** Examines the files and folders in the settings. */
export function examineFiles(
  settings: Settings,
  settingsFile: string | undefined,
  { readAgreement }: Pick<Tools, 'readAgreement'>,
): Finding[] {
  return [...privacy(settingsFile), ...folders(settings), agreement(settings.site.agreement, readAgreement)];
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MIN_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return ok('node', version);
  return warning(
    'node',
    `${version} is older than ${MIN_NODE.join('.')}`,
    'start it with npm, which installs its own Node, or install a newer one',
  );
}

function pages(folder: string): Finding {
  if (existsSync(join(folder, 'index.html'))) return ok('web pages', 'built');
  return warning(
    'web pages',
    'are not built: only the API is available',
    'build them with: npm run build (not needed if nginx serves them)',
  );
}

function agreement(file: string | undefined, read: Tools['readAgreement']): Finding {
  try {
    read(file);
    return ok('agreement', file ?? 'the default one');
  } catch (error) {
    return failed('agreement', reasonOf(error), 'set site.agreement to a readable file');
  }
}

function privacy(file: string | undefined): Finding[] {
  if (file === undefined || process.platform === 'win32' || (statSync(file).mode & 0o007) === 0) return [];
  return [
    warning('settings', `${file} contains secrets and is readable by everyone`, `run: chmod 600 ${file}`),
  ];
}

function folders({ database, mail, log }: Settings): Finding[] {
  const wanted = [
    database.url.startsWith('sqlite:') && dirname(database.url.slice('sqlite:'.length)),
    mail.url.startsWith('outbox:') && mail.url.slice('outbox:'.length),
    log.file !== undefined && dirname(log.file),
  ];
  const unique = new Set(wanted.filter((folder) => typeof folder === 'string').map((each) => resolve(each)));
  return [...unique].map(writable);
}

/** Checks that a folder is writable. A missing one must be creatable. */
function writable(folder: string): Finding {
  const fix = `create the folder and make the user that runs the service its owner: ${folder}`;
  try {
    const existing = nearest(folder);
    if (!statSync(existing).isDirectory()) return failed('folder', `${existing} is not a folder`, fix);
    accessSync(existing, constants.W_OK | constants.X_OK);
    return ok('folder', `${folder} is writable`);
  } catch (error) {
    return failed('folder', `${folder} is not writable: ${reasonOf(error)}`, fix);
  }
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
