import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type PictureType, type SiteFieldName, siteFieldNames, sitePictures } from '@gatehouse/contract';
import type { Command } from 'commander';
import { openSiteAdmin } from '../features/site/admin/module.ts';
import { settingsFile } from '../settings/load.ts';
import { sourcesByValue, sourcesOf } from '../settings/sources.ts';
import { type Change, changing, command, jsonOrText, type Options, oneOf } from './context.ts';
import { usage } from './failure.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';

const PICTURE_NAMES = `${sitePictures.join(', ')}, or news-… for the news`;
const TYPES: Readonly<Record<string, PictureType>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
};

const withSite = operate((db, settings, { config }) => {
  const path = settingsFile(config);
  const sourceOf = path === undefined ? sourcesByValue(settings) : sourcesOf(path);
  return openSiteAdmin({ db, settings: () => settings, sourceOf });
});

export function siteCommand(): Command {
  return command('site')
    .addCommand(show())
    .addCommand(set())
    .addCommand(unset())
    .addCommand(file())
    .addCommand(exportCommand())
    .addCommand(importCommand());
}

function show(): Command {
  return command('show', 'show every field and picture with its source').action((options: Options) =>
    withSite(options, async (admin) => {
      const { news_pictures, ...fields } = await admin.show();
      const rows = Object.entries(fields).map(([name, { value, source }]) => ({
        name,
        value: typeof value === 'string' || value === null ? value : JSON.stringify(value),
        source,
      }));
      const pictures = news_pictures.map(({ name, url }) => ({ name, value: url, source: 'console' }));
      print([...rows, ...pictures], options);
    }),
  );
}

function set(): Command {
  return changing('set', 'set a field; takes effect on every instance within seconds')
    .argument('<field>', siteFieldNames.join(', '), oneOf(siteFieldNames))
    .argument('<value>', 'text; `links` as JSON')
    .action((name: SiteFieldName, value: string, options: Change) =>
      withSite(options, async (admin, actor) => {
        const change = { [name]: name === 'links' ? jsonOrText(value) : value };
        await admin.set(actor, change, options);
        printResult(`${name} is set`);
      }),
    );
}

function unset(): Command {
  return changing('unset', 'remove a value; the settings file applies again')
    .argument('<field>', siteFieldNames.join(', '), oneOf(siteFieldNames))
    .action((name: SiteFieldName, options: Change) =>
      withSite(options, async (admin, actor) => {
        await admin.set(actor, { [name]: null }, options);
        printResult(`${name} is as the settings file says`);
      }),
    );
}

function file(): Command {
  return changing('file', 'set a picture, or remove it with --remove')
    .argument('<name>', PICTURE_NAMES)
    .argument('[file]', 'a .png, .jpg, .webp, .avif or .svg file')
    .option('--remove', 'show the built-in picture again')
    .action((name: string, path: string | undefined, options: Change & { remove?: boolean }) =>
      withSite(
        { ...options, missing: `there is no picture ${name}: ${PICTURE_NAMES}` },
        async (admin, actor) => {
          if ((path === undefined) !== (options.remove === true)) throw usage('name a file, or use --remove');
          if (path === undefined) {
            await admin.removePicture(actor, name, options);
            printResult(`${name} is removed`);
            return;
          }
          const type = TYPES[extname(path).toLowerCase()];
          if (!type) throw usage(`a picture is one of ${Object.keys(TYPES).join(', ')}`);
          const given = { type, content: readFileSync(path) };
          const { url } = await admin.setPicture(actor, name, given, options);
          printResult(`${name} is ${url}`, { url });
        },
      ),
    );
}

function exportCommand(): Command {
  return command('export', 'write fields and pictures to a file, to move them to another installation')
    .argument('<file>', 'a JSON file')
    .action((path: string, options: Options) =>
      withSite(options, async (admin) => {
        writeFileSync(path, `${JSON.stringify(await admin.export(), null, 2)}\n`);
        printResult(`written to ${path}`);
      }),
    );
}

function importCommand(): Command {
  return changing('import', 'replace fields and pictures with those of an exported file; all or nothing')
    .argument('<file>', 'written by `gatehouse site export`')
    .action((path: string, options: Change) =>
      withSite(options, async (admin, actor) => {
        await admin.import(actor, jsonOrText(readFileSync(path, 'utf8')), options);
        printResult(`the site is as in ${path}`);
      }),
    );
}
