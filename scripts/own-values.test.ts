/** A column called 'constructor' must not find what every object inherits: names from outside are looked up by `ownValue` alone. */
import { expect, test } from 'vitest'
import { accessesByName, type Access } from './own-values.ts'

/** The one place that reads and writes by such names. */
const helper = 'contract/src/own-values.ts'

const found = new Map<string, Access[]>()
function accessesIn(workspace: string): Access[] {
  const known = found.get(workspace) ?? accessesByName(workspace)
  found.set(workspace, known)
  return known
}

test.each(['contract', 'callflow', 'server', 'web'])(
  'nothing in %s reads or writes an object by a name that its types do not know, except through ownValue and setOwnValue',
  (workspace) => {
    const elsewhere = accessesIn(workspace).filter(({ file }) => file !== helper)
    expect(elsewhere.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
  },
  180_000,
)

test('such reads and writes are found', () =>
  expect(accessesIn('contract').filter(({ file }) => file === helper)).toMatchObject([
    { text: 'record[name]' },
    { text: 'record[name]' },
  ]))
