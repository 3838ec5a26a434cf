import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstFrame } from './build/first-frame.ts'
import { basePath } from './build/base-path.ts'
import { compressed } from './build/compressed.ts'
import { cascadeLayers } from './build/cascade-layers.ts'
import { chunkNames } from './build/chunks.ts'
import { preloads } from './build/preloads.ts'
import { withoutInputs } from './build/without-inputs.ts'
import { withoutParts } from './build/without-parts.ts'

const base =
  /web\/src\/(App|api\/download|components\/ui\/(Page|icons\/Logo)|shell\/(LanguageSwitch|SchemeSwitch)|i18n\/format)\.tsx?|@mantine\/core\/esm\/components\/(Button\/Button|TextInput\/TextInput)\.mjs/
const signedIn =
  /web\/src\/(SignedIn|shell\/Shell|router|api\/loader|components\/(table\/(DataTable|RowMenu|use-list)|ui\/Status))\.tsx?|contract\/src\/bulk\.ts/

const formParts =
  /web\/src\/components\/form\/(TextField|server-errors|Form\.module)|@mantine\/(form|core\/esm\/components\/Textarea)\b/

/** Small, and needed by most of the screens that need one of them. */
const callWords =
  /(contract\/src\/(template-names|operators)|i18n\/en\/(template-types|call-words)|when-loaded|\/tones|disposition-label)\.ts/
const people = /contract\/src\/(mail|dashboard|recharge-amount|customers|users)\.ts/

/** `npm run dev` starts both and prints the addresses (scripts/dev.ts). */
const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/**
 * `vite build web` writes web/dist: index.html, the bundle under console/ and preloads.json. URLs inside the bundle are relative; those in
 * index.html start with __BASE_PATH__, which the server replaces (build/base-path.ts).
 */
export default defineConfig(({ command }) => {
  // A test run sets NODE_ENV to 'test', which would double the size of the build.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    root: import.meta.dirname,
    base: './',
    plugins: [
      react(),
      cascadeLayers(),
      basePath(),
      firstFrame(),
      withoutInputs(),
      withoutParts(),
      preloads(),
      compressed(),
    ],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      assetsDir: 'console',
      manifest: true,
      target: 'es2023',
      // The content security policy allows no data: fonts.
      assetsInlineLimit: 0,
      // Chunks are split by screen; scripts/size.ts fails when a page loads too much.
      chunkSizeWarningLimit: 1000,
      // A lazy part's import names its styles but not its scripts: that list would cost every page 4 kB.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
      },
      rolldownOptions: {
        output: {
          // Every page has the list of all other files: without names it is two kilobytes shorter. .vite/manifest.json has them.
          entryFileNames: 'console/[name]-[hash:7].js',
          chunkFileNames: 'console/[hash:7].js',
          assetFileNames: ({ names: [name = ''] }) =>
            name.endsWith('.css') ? 'console/[hash:7][extname]' : 'console/[name]-[hash:7][extname]',
          // Two chunks for what every page and every signed-in page run: a tenth smaller and thirty requests fewer than a chunk for each
          // set of sharers. A group includes all that its modules import; scripts/size.ts notices when something big joins.
          codeSplitting: {
            groups: [
              { name: 'base', priority: 2, test: base },
              { name: 'console', priority: 1, test: signedIn },
              // The sign-in uses it, too, and nothing else of a form.
              { name: 'uncontrolled', priority: 2, test: /use-uncontrolled/ },
              { name: 'form', priority: 1, test: formParts },
              // Pause, resume and stop come together.
              { name: 'player', priority: 1, test: /IconPlayer(Pause|Play|Stop)\.mjs/ },
              { name: 'calls', priority: 1, test: callWords, includeDependenciesRecursively: false },
              { name: 'people', priority: 1, test: people, includeDependenciesRecursively: false },
              { name: chunkNames(), includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
    experimental: {
      renderBuiltUrl: (fileName, { hostType }) =>
        hostType === 'html' ? `__BASE_PATH__/${fileName}` : { relative: true },
    },
    server: {
      host: '127.0.0.1',
      // Host and Origin stay the browser's, and the server accepts both.
      proxy: { '^/(api|app|assets|reports|exports|rec|media|fileupload)/': { target: api, changeOrigin: false } },
    },
  }
})
