import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { compressed } from '../web/build/compress.ts';
import { plainAdminContract } from './build/contract.ts';
import { preloaded } from './build/preload.ts';

const service = process.env.GATEHOUSE_URL ?? 'http://localhost:3001';

/** Parts and libraries that the first screen needs anyway; neither the plots nor the QR codes. */
const COMMON =
  /node_modules\/(?:@?vue|vue-router|vue-i18n|@intlify|@vue)\/|console\/src\/(?:api|blocks|layout|i18n(?!\/locales)|ui)\/(?!TimePlot|plot|.*\.css)|console\/src\/session\/(?:session|return-path|LoginView|SessionLayout)\.|web\/src\/ui\/(?!QrCode)/;

/** Code that runs before anything else has loaded. It must not be part of a larger script. */
const EARLY =
  /console\/src\/(?:api\/(?:early|signed-in-hint)|i18n\/first-language|router\/screens)\.|web\/src\/ui\/browser-storage|vite\/preload-helper/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [vue(), plainAdminContract(), preloaded('src/start.ts'), compressed()],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
    __INTLIFY_DROP_MESSAGE_COMPILER__: 'true',
  },
  // A placeholder. The service puts a new nonce into each answer and into its policy.
  html: { cspNonce: '%NONCE%' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // On a slow network each file costs a round trip: what nearly every screen uses is one script, and the styles one sheet.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'early', test: EARLY, priority: 1 },
            { name: 'app', test: COMMON },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service } },
});
