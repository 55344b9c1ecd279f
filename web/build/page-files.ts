import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** What a page shows first, besides what every page loads: its view, its texts, its own picture. */
interface Page {
  readonly view?: string;
  readonly texts?: string;
  readonly art?: string;
}

const LANGUAGES = ['zh-CN', 'en'];
const PAGES: Readonly<Record<string, Page>> = {
  '/': { view: 'HomeView.vue' },
  '/login': {},
  '/agree': { view: 'AgreeView.vue' },
  '/news': { view: 'NewsView.vue' },
  '/news/:id': { view: 'ArticleView.vue' },
  '/withdraw': { view: 'WithdrawView.vue', art: 'river.svg' },
  '/account': { view: 'AccountView.vue', texts: 'account' },
  '*': { view: 'NotFoundView.vue' },
};

/**
 * Writes pages.json: the files of each page, by path and language. The service names them in the document, so that a browser
 * requests all of them at once instead of one import after another.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const chunks = outputs.filter((output) => output.type === 'chunk');
      const chunkOf = (source: string) => {
        const found = chunks.find(
          ({ facadeModuleId }) => facadeModuleId && basename(facadeModuleId) === source,
        );
        return found ?? this.error(`no chunk is built from ${source}`);
      };
      const assetOf = (source: string) => {
        const found = outputs.find((output) => output.type === 'asset' && output.names.includes(source));
        return found?.fileName ?? this.error(`no asset is built from ${source}`);
      };
      const entry = closure(
        chunks,
        chunks.find(({ isEntry }) => isEntry),
      );

      const filesOf = ({ view, texts, art }: Page, language: string) => {
        const sources = [`${language}.ts`, view, texts && `${texts}-${language}.ts`].filter((each) => each);
        const needed = new Set(sources.flatMap((each) => [...closure(chunks, chunkOf(each ?? ''))]));
        const more = [...needed.difference(entry)];
        return {
          scripts: more.map(({ fileName }) => `/${fileName}`),
          styles: more
            .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
            .map((file) => `/${file}`),
          ...(art && { image: `/${assetOf(art)}` }),
        };
      };
      const pages = Object.entries(PAGES).map(([path, page]) => [
        path,
        Object.fromEntries(LANGUAGES.map((language) => [language, filesOf(page, language)])),
      ]);
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify(Object.fromEntries(pages)),
      });
    },
  };
}

/** Returns a chunk and everything it imports. */
function closure(chunks: readonly Rolldown.OutputChunk[], start: Rolldown.OutputChunk | undefined) {
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) visit(chunks.find(({ fileName }) => fileName === file));
  };
  visit(start);
  return found;
}
