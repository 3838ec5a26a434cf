import { dispositions } from '@ghanti/contract/campaign-status.ts'
import { outcomeColours } from '@ghanti/contract/outcome-colours.ts'
import { describe, expect, test } from 'vitest'
import { brandShades, contrast } from '../theme-colours.ts'
import { brandColours } from '../theme.ts'
import tokens from './tokens.css?raw'

/** Finds literal values only. */
function coloursOf(scheme: string): (name: string) => string {
  const [, block = ''] = new RegExp(`\\[data-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(tokens) ?? []
  const colours = new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]))
  return (name) => {
    const colour = colours.get(name)
    if (!colour) throw new Error(`tokens.css has no colour ${name} in ${scheme}`)
    return colour
  }
}

const statuses = ['neutral', 'running', 'done', 'held', 'problem']
const outcomes = dispositions.map((name) => [name, `outcome-${name.toLowerCase().replace(' ', '-')}`] as const)
const grounds = ['surface', 'canvas', 'hover']

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  const colour = coloursOf(scheme)

  test.each(['text', 'dimmed', 'brass-text', ...statuses.map((status) => `${status}-text`)])(
    '%s can be read wherever it stands',
    (text) => {
      for (const ground of grounds) expect(contrast(colour(text), colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
    },
  )

  test('what a field asks for can be read', () =>
    expect(contrast(colour('mantine-color-placeholder'), colour('surface'))).toBeGreaterThanOrEqual(4.5))

  test.each(statuses)('a badge of %s can be read, and its dot can be seen', (status) => {
    expect(contrast(colour(`${status}-text`), colour(`${status}-ground`))).toBeGreaterThanOrEqual(4.5)
    for (const ground of [...grounds, `${status}-ground`])
      expect(contrast(colour(status), colour(ground)), ground).toBeGreaterThanOrEqual(3)
  })

  test('the card that needs somebody can be read, and brass can be seen on it and beside it', () => {
    for (const text of ['text', 'dimmed', 'brass-text'])
      expect(contrast(colour(text), colour('brass-ground')), text).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['surface', 'canvas', 'brass-ground'])
      expect(contrast(colour('brass'), colour(ground)), ground).toBeGreaterThanOrEqual(3)
  })

  test('brass is the colour of no status and of no outcome', () => {
    const brass = [colour('brass'), colour('brass-text'), colour('brass-ground')]
    for (const name of statuses.flatMap((status) => [status, `${status}-text`, `${status}-ground`]))
      expect(brass).not.toContain(colour(name))
    for (const [, name] of outcomes) expect(brass).not.toContain(colour(name))
  })

  test('each outcome has a colour of its own, which can be seen on a card and on the row with the pointer', () => {
    const colours = outcomes.map(([, name]) => colour(name))
    expect(new Set(colours).size).toBe(outcomes.length)
    for (const shade of colours)
      for (const ground of ['surface', 'hover'])
        expect(contrast(shade, colour(ground)), shade).toBeGreaterThanOrEqual(3)
  })

  test.each([null, '#ffe14d', '#ffffff', '#e03131', '#102030', '#0b7a75', '#ff7a00'])(
    'links can be read and marks can be seen with the brand colour %s',
    (hex) => {
      const { anchor, action, chosen, chosenText } = brandColours(brandShades(hex))[scheme]
      for (const ground of grounds) {
        expect(contrast(anchor, colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
        expect(contrast(action, colour(ground)), ground).toBeGreaterThanOrEqual(3)
      }
      if (scheme === 'light') expect(contrast(chosenText, chosen)).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test('outcomes have the colours of PDF and exports', () => {
  const colour = coloursOf('light')
  expect(Object.fromEntries(outcomes.map(([name, token]) => [name, colour(token)]))).toEqual(outcomeColours)
})

const sheets = import.meta.glob<string>('../**/*.css', { query: '?raw', import: 'default', eager: true })
const code = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

test('every variable that a style sheet uses is given somewhere, and every token is used', () => {
  const files = Object.entries({ ...sheets, ...code })
  const given = new Set(
    files.flatMap(([, text]) => [...text.matchAll(/(--[\w-]+)['"]?\s*[:\]]/g)].map(([, name]) => name)),
  )
  const used = files.flatMap(([file, text]) =>
    [...text.matchAll(/var\((--[\w-]+)(,?)/g)].map(([, name = '', otherwise]) => ({ file, name, otherwise })),
  )
  const lacking = used.filter(({ name, otherwise }) => !otherwise && !name.startsWith('--mantine-') && !given.has(name))
  expect(lacking).toEqual([])
  const names = new Set(used.map(({ name }) => name))
  const tokensGiven = new Set([...tokens.matchAll(/^\s+(--(?!mantine)[\w-]+):/gm)].map(([, name = '']) => name))
  expect([...tokensGiven].filter((name) => !names.has(name))).toEqual([])
})
