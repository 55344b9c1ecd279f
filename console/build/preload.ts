import type { OutputBundle, OutputChunk } from 'rolldown';
import type { Plugin } from 'vite';

/** Preloads what the entry imports later, together with the entry. */
export function preloaded(file: string): Plugin {
  return {
    name: 'gatehouse-preloaded',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const entry = html.match(/<script type="module"[^>]* src="([^"]+)"( nonce="[^"]*")?/);
        const links = chunksOf(bundle, file)
          .filter((name) => !html.includes(name))
          .map(
            (name) =>
              `    <link rel="modulepreload" crossorigin href="/console/${name}"${entry?.[2] ?? ''}>\n`,
          );
        return html.replace('  </head>', () => `${links.join('')}  </head>`);
      },
    },
  };
}

/** Returns the file's chunk and everything it imports. */
function chunksOf(bundle: OutputBundle, file: string): string[] {
  const chunks = Object.values(bundle).filter((output): output is OutputChunk => output.type === 'chunk');
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(file));
  const found = new Set<string>();
  const add = (chunk: OutputChunk | undefined) => {
    if (!chunk || found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  add(first);
  return [...found];
}
