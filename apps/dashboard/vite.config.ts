import { fileURLToPath } from 'node:url';
import { convertCssVariables } from '@mantine/core';
import { defineConfig, type Plugin } from 'vite';
import { themeVariables } from './src/theme/theme';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Below the gateway's own URL while it is worked on: `npm run dashboard:dev`, with a gateway at FLEET_GATEWAY. */
const gateway = process.env.FLEET_GATEWAY ?? 'http://127.0.0.1:8080';

/** Writes the theme's variables, which a part of a page may have of the other colour scheme. */
const writeTheme: Plugin = {
  name: 'theme',
  enforce: 'pre',
  transform: (_, id) =>
    id.endsWith('/src/theme/variables.css')
      ? convertCssVariables(themeVariables())
          .replaceAll(/:root(?=\[)/g, '')
          .replaceAll(/, :host(\([^)]*\))?/g, '')
      : undefined,
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Addresses are as seen from the page's <base>, which the gateway sets.
  base: './',
  plugins: [writeTheme],
  resolve: {
    alias: [
      { find: /^@fleet\/contracts\/([^/]+)$/, replacement: `${checkout}libs/domain/contracts/src/$1/index.ts` },
      { find: /^@fleet\/(session-report)$/, replacement: `${checkout}libs/domain/$1/src/index.ts` },
      { find: /^@fleet\/api-client$/, replacement: `${checkout}libs/adapters/api-client/src/index.ts` },
    ],
  },
  build: {
    outDir: `${checkout}dist/dashboard`,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // What the licences of bundled packages ask for.
    license: { fileName: 'licences.txt' },
    // What the domain declares beside its words (schemas) is not a part of a page.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /[\\/]libs[\\/]/, sideEffects: false }] },
      // "use client" of packages means nothing here.
      checks: { moduleLevelDirective: false },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/v1': gateway } },
});
