import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { compileHints } from './build/compile-hints.ts';
import { compressed } from './build/compress.ts';
import { plainContract } from './build/contract.ts';
import { pageFiles } from './build/page-files.ts';

const service = process.env.GATEHOUSE_URL ?? 'http://localhost:3001';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [vue(), plainContract(), pageFiles(), compileHints(), compressed()],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page loads is in two files. A release that changes no library leaves one of them unchanged.
            { name: 'libraries', test: /node_modules/, tags: ['$initial'], priority: 2 },
            { name: 'app', tags: ['$initial'], priority: 1 },
            // The frame around the pages of signed-in players.
            { name: 'inside', minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service } },
});
