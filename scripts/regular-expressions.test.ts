/** Input from outside may only meet linear patterns: with one that backtracks, 200 bytes occupy the process for minutes. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { countedGrowth, expressionsIn, growthOf, type Expression, type Growth } from './regular-expressions.ts'
import { isTest, sources } from './tidy-sources.ts'

/** Where a quadratic pattern is acceptable: the input has at most 1,000 characters, for this reason. */
const quadratic: readonly { within: string; why: string }[] = [
  { within: 'contract/src/nepali/', why: 'texts.ts asks the patterns about sentences of at most 1,000 characters' },
]

/**
 * What `recheck` said of the patterns that counting does not settle, which takes it a minute and more. A pattern that is not here is rated in each
 * run. `npx vitest run scripts/regular-expressions.test.ts -u` rates all of them anew.
 */
const recordFile = path.join(import.meta.dirname, 'regular-expressions-rated.txt')
const recorded = new Map(
  fs
    .readFileSync(recordFile, 'utf8')
    .split('\n')
    .map((line) => [line.slice(2), Number(line[0])]),
)

const product = sources.filter(({ file }) => /^(contract|callflow|server|web)\/src\//.test(file) && !isTest(file))
const found = product.map(({ file, text }) => expressionsIn(file, text))
const excuseOf = ({ file }: Expression) => quadratic.find(({ within }) => file.startsWith(within))
const written = ({ pattern, flags }: Expression): string => `/${pattern}/${flags}`

test('each regular expression of the product takes linear time, or quadratic where its input is short', () => {
  const used = new Set<string>()
  const growths = new Map<string, Growth>() // several files contain the same pattern, and some take seconds
  const slow = found
    .flatMap(({ literals }) => literals)
    .flatMap((expression) => {
      const { file, line } = expression
      const excuse = excuseOf(expression)
      const allowed = excuse ? 2 : 1
      const key = `${allowed} ${written(expression)}`
      const growth = growths.get(key) ?? recorded.get(written(expression)) ?? growthOf(expression, allowed)
      growths.set(key, growth)
      if (growth === 1) return []
      if (growth === 2 && excuse) return (used.add(excuse.within), [])
      return `${file}:${line} ${written(expression)} is ${growth === 2 ? 'quadratic' : growth}`
    })
  expect(slow).toEqual([])
  expect([...used]).toEqual(quadratic.map(({ within }) => within))
})

test('what is recorded of regular expressions is what the checker says', { tags: ['exhaustive'] }, async () => {
  const rated = new Map<string, Growth>()
  for (const expression of found.flatMap(({ literals }) => literals)) {
    const allowed = excuseOf(expression) ? 2 : 1
    const bound = countedGrowth(expression.pattern, expression.flags)
    if (rated.has(written(expression)) || (bound !== null && bound <= allowed)) continue
    rated.set(written(expression), growthOf(expression, allowed))
  }
  const lines = [...rated].filter(([, growth]) => growth === 1 || growth === 2)
  const text = lines
    .map(([expression, growth]) => `${growth} ${expression}\n`)
    .toSorted()
    .join('')
  await expect(text).toMatchFileSnapshot(recordFile)
})

test('no regular expression of the product is built at run time', () => {
  expect(found.flatMap(({ built }) => built)).toEqual([])
})

test.each([
  { source: String.raw`/^(\s*|<!--[^]*?-->)*<svg/i`, growth: 'exponential' },
  { source: String.raw`/^(a+)+$/`, growth: 'exponential' },
  { source: String.raw`/\.+$/`, growth: 2 },
  { source: String.raw`/^(.+), (.+), (.+)!$/`, growth: 3 },
  { source: String.raw`/(?<=.)\/+$/`, growth: 'unknown' },
  { source: String.raw`/^([0-9a-f]{2}:?){31}$/i`, growth: 1 },
])('$source is found and rated: $growth', { tags: ['exhaustive'] }, ({ source, growth }) => {
  const { literals } = expressionsIn('schema.ts', `export const Name = z.string().check(z.regex(${source}))`)
  expect(literals.map((literal) => growthOf(literal))).toEqual([growth])
})

test.each(["new RegExp('^' + name)", 'RegExp(name)', 'new globalThis.RegExp(`${name}+$`)'])('%s is found', (source) =>
  expect(expressionsIn('name.ts', `\nconst pattern = ${source}`).built).toEqual(['name.ts:2']),
)

const bounds: [RegExp, Growth | null][] = [
  [/^abc$/, 1],
  [/^(\d+) calls?$/, 1],
  [/^dialer (.+) was removed$/, 1],
  [/^a (\S+) has (\d+) digits: (.+)$/s, 1],
  [/^the (.+) of (.+)$/, 2],
  [/^the (.+) of (.+)$/s, 1],
  [/^the (.+) of (.+), (.+)!$/, 3],
  [/^x*(?:a|b)y*$/, 2],
  [/\d+$/, 2],
  [/^(a+)+$/, null],
  [/^a|b+c$/, null],
  [/^a{0,5000}$/, null],
  [/^(a)\1$/, null],
]
test.each(bounds)('the bound of %s is counted: %s', ({ source, flags }, bound) => {
  expect(countedGrowth(source, flags)).toBe(bound)
})
test.each(bounds)(
  'the bound of %s, %s, is not below what recheck says',
  { tags: ['exhaustive'] },
  (expression, bound) => {
    const { source: pattern, flags } = expression
    if (bound !== null) expect(growthOf({ pattern, flags }, 0)).toBeLessThanOrEqual(Number(bound))
  },
)
