import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const tokens = join(import.meta.dirname, '../src/styles/tokens.css')
const used = ['surface', 'canvas', 'line', 'text'] as const

/** Declarations of a scheme, for what is painted before the style sheets have come. */
function coloursOf(css: string, scheme: 'light' | 'dark'): string {
  const block = css.split(`[data-scheme='${scheme}'] {`)[1]?.split('}')[0] ?? ''
  return used
    .map((name) => {
      const colour = new RegExp(`--${name}: ([^;]+);`).exec(block)?.[1]
      if (!colour) throw new Error(`tokens.css has no --${name} for ${scheme}`)
      return `--frame-${name}:${colour};`
    })
    .join('')
}

/**
 * The frame of the page that is on its way, inside index.html: the bar and the menu, or the card of the sign-in. It needs no file, so that a
 * slow line shows it at once instead of white; what #root shows takes its place.
 */
export function firstFrame(): Plugin {
  return {
    name: 'ghanti:first-frame',
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        const css = readFileSync(tokens, 'utf8')
        const [light, dark] = [coloursOf(css, 'light'), coloursOf(css, 'dark')]
        const colours =
          `:root{${light}}` +
          `@media (prefers-color-scheme:dark){:root{${dark}}}` +
          `:root[data-mantine-color-scheme=light]{${light}}:root[data-mantine-color-scheme=dark]{${dark}}`
        return html.replace('/* colours */', colours)
      },
    },
  }
}
