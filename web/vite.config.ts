import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { basePath } from './build/base-path.ts'
import { preloads } from './build/preloads.ts'

const base =
  /web\/src\/(App|components\/ui\/(Page|Logo)|shell\/(LanguageSwitch|SchemeSwitch)|i18n\/format)\.tsx?|@mantine\/core\/esm\/components\/(Button\/Button|TextInput\/TextInput)\.mjs/
const signedIn = /web\/src\/(shell\/Shell|router|components\/table\/(DataTable|RowMenu|use-list))\.tsx?/

/** `npm run dev` starts both, and says where (scripts/dev.ts). */
const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/**
 * `vite build web` writes web/dist: index.html, the bundle under console/ and preloads.json.
 * All addresses inside the bundle are relative to it; those in index.html begin with __BASE_PATH__, which the server replaces (build/base-path.ts).
 */
export default defineConfig(({ command }) => {
  // A test run sets NODE_ENV to 'test': a build must not become a development build of twice the size by it.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    root: import.meta.dirname,
    base: './',
    plugins: [react(), basePath(), preloads()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      assetsDir: 'console',
      manifest: true,
      target: 'es2023',
      // The content security policy allows no data: fonts.
      assetsInlineLimit: 0,
      // Chunks are split by screen; a chunk that is too big fails scripts/size.ts, which knows what the reader waits for.
      chunkSizeWarningLimit: 1000,
      // A lazy part's import names its styles, not its scripts: the list of their names cost every page 4 kB.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
      },
      rolldownOptions: {
        output: {
          // Two chunks that hold what every page and what every signed-in page runs: a tenth smaller and thirty requests fewer than one chunk for each set of sharers.
          // A group takes along all that its modules import; scripts/size.ts notices when something big joins.
          codeSplitting: {
            groups: [
              { name: 'base', priority: 2, test: base },
              { name: 'console', priority: 1, test: signedIn },
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
      // Host and Origin stay those of the browser: the server takes both as its own.
      proxy: { '^/(api|app|assets|reports|exports|rec|media|fileupload)/': { target: api, changeOrigin: false } },
    },
  }
})
