const meta = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** '' or '/build', which the server writes into index.html (BASE_PATH). */
export const basePath = meta.startsWith('/') ? meta.replace(/\/$/, '') : ''
