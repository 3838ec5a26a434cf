import { roles } from '@ghanti/contract/roles.ts'
import { expect, test } from 'vitest'
import { texts as english } from '../../i18n/en/empty-lists.ts'
import { texts as nepali } from '../../i18n/ne/empty-lists.ts'
import { screens } from '../../paths.ts'
import { placeOfNext, type EmptyList } from './empty-lists.ts'

const sources = import.meta.glob<string>('../../screens/**/*.tsx', { query: '?raw', import: 'default', eager: true })
const lists = Object.entries(sources).flatMap(([file, source]) =>
  [...source.matchAll(/<DataTable\b/g)].map((_, n) => ({ file: file.replace(/.*screens\//, ''), n })),
)
const names = Object.keys(english) as EmptyList[]
const isSentence = (text: string) => /[.।?]$/.test(text)

test('every list on a screen names its empty text', () => {
  expect(lists.length).toBeGreaterThan(30)
  const said = Object.values(sources).join('\n')
  const unsaid = names.filter((name) => !new RegExp(`['"]${name}['"]`).test(said))
  expect(unsaid, 'texts of no list').toEqual([])
})

test.each(names)('the empty list %s says what it is for, and leads on or says what to do', (name) => {
  for (const { is, next } of [english[name], nepali[name]]) {
    expect(is).toMatch(/[.।:] |[.।]$/)
    expect(next.length).toBeGreaterThan(5)
    // With a place it labels a link or a button; without one it is a sentence.
    expect(isSentence(next), next).toBe(placeOfNext[name] === undefined)
  }
})

const places = Object.entries(placeOfNext)
test.each(places.filter(([, place]) => place !== null))('the empty list %s leads to a screen: %s', (_, place) => {
  const found = screens.find(({ path }) => path === place)
  expect(found && roles.some((role) => found.for[role] !== undefined)).toBe(true)
})

test.each(places.filter(([, place]) => place === null))('the button of the empty list %s does something', (name) => {
  const said = Object.values(sources).join('\n')
  expect(said).toMatch(new RegExp(`empty=(\\{.*)?['"]${name}['"].*\\n\\s*onNext=`))
})
