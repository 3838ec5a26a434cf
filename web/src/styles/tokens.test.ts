import { describe, expect, test } from 'vitest'
import { contrast } from '../theme-colours.ts'
import tokens from './tokens.css?raw'

/** Finds literal values only. */
function coloursOf(scheme: string): (name: string) => string {
  const [, block = ''] = new RegExp(`\\[data-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(tokens) ?? []
  const colours = new Map(
    [...block.matchAll(/--ghanti-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  )
  return (name) => {
    const colour = colours.get(name)
    if (!colour) throw new Error(`tokens.css has no colour ${name} in ${scheme}`)
    return colour
  }
}

const statuses = ['neutral', 'running', 'done', 'held', 'problem']

describe.each(['light', 'dark'])('in %s', (scheme) => {
  const colour = coloursOf(scheme)
  const grounds = ['surface', 'side', 'raised', 'hover']

  test.each(['text', 'dimmed', ...statuses.map((status) => `${status}-text`)])(
    '%s can be read wherever it stands',
    (text) => {
      for (const ground of grounds) expect(contrast(colour(text), colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(statuses)('a badge of %s can be read, and its dot can be seen', (status) => {
    expect(contrast(colour(`${status}-text`), colour(`${status}-ground`))).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['surface', 'raised', 'hover', `${status}-ground`])
      expect(contrast(colour(status), colour(ground)), ground).toBeGreaterThanOrEqual(3)
  })
})
