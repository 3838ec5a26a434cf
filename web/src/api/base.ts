const meta = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** '' or a path like '/build'; the server writes it into index.html (BASE_PATH). */
export const basePath = meta.startsWith('/') ? meta.replace(/\/$/, '') : ''

/** The path of this page without the base path. */
export function pathInConsole(): string {
  const { pathname } = window.location
  return pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname
}
