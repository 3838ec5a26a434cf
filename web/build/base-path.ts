import type { Plugin } from 'vite'

/** The server replaces __BASE_PATH__ in index.html with its BASE_PATH ('' or '/build'); Vite's development server has none. */
export function basePath(): Plugin {
  return {
    name: 'ghanti:base-path',
    apply: 'serve',
    transformIndexHtml: (html) => html.replaceAll('__BASE_PATH__', ''),
  }
}
