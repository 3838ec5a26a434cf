import { expect, test } from 'vitest'
import { allowedFaults, changesOf, faultsIn, faultsNow, sqlFiles } from './sql-style.ts'

test('SQL departs from its style nowhere more often than is written down, and what fell stays down (node scripts/sql-style.ts)', () => {
  const allowed = allowedFaults()
  const files = sqlFiles()
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap((file) => changesOf(file, faultsNow(file), allowed))).toEqual([])
  expect(Object.keys(allowed).filter((file) => !files.includes(file))).toEqual([])
})

const faultless = { wide: 0, packed: 0, tall: 0, numbered: 0 }

test.each([
  { why: 'a clause that fits in its line', text: 'select a, b from c where d and e;', faults: {} },
  { why: 'a column a line', text: 'select\n  a,\n  least(b, c)\nfrom d;', faults: {} },
  { why: 'two columns in a line of several', text: 'select\n  a, b,\n  c\nfrom d;', faults: { packed: 1 } },
  { why: 'two conditions in a line of several', text: 'where a and b\n  and c;', faults: { packed: 1 } },
  { why: 'a range is one condition', text: 'where a between 1 and 2\n  and c;', faults: {} },
  { why: 'a text has no commas', text: "select\n  'a, b',\n  c;", faults: {} },
  { why: 'a long line', text: `select '${'x'.repeat(100)}';`, faults: { wide: 1 } },
  { why: 'a long statement', text: `select\n${'  a,\n'.repeat(81)}  b;`, faults: { tall: 3 } },
  { why: 'a function is as many statements as it has', text: `begin\n${'  a := b;\n'.repeat(100)}end`, faults: {} },
])('$why', ({ text, faults }) => {
  expect(faultsIn('a.sql', text)).toEqual({ ...faultless, ...faults })
})

test('of a module only what is in its templates counts, but for the width', () => {
  const text = 'const a = [\n  1, 2,\n  3\n]\nconst b = `select\n  a, b,\n  $1`\n'
  expect(faultsIn('a.sql.ts', text)).toEqual({ ...faultless, packed: 1, numbered: 1 })
})
