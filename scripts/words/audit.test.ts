import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { personalReads } from '../../server/src/personal-reads.ts'
import { texts as english } from '../../web/src/i18n/en/audit.ts'
import { texts as nepali } from '../../web/src/i18n/ne/audit.ts'
import { isTest, sources } from '../tidy-sources.ts'

/** Every name of an action in the server's code: 'plan.create', 'login'. */
const written = sources
  .filter(({ file }) => file.startsWith('server/src/') && !isTest(file))
  .flatMap(({ text }) =>
    text
      .split(/\baudit\(/)
      .slice(1)
      .flatMap((call) => {
        const [head = ''] = call.split(/\)\n|\n {2,4}\}|\n\n/)
        return [...head.slice(0, 200).matchAll(/,\s*(?:\w+ \? )?'([a-z]+(?:\.\w+)*)'(?: : '([a-z]+(?:\.\w+)*)')?,/g)]
      })
      .flatMap(([, one, other]) => (other === undefined ? [one] : [one, other])),
  )
  .filter((name) => name !== undefined)

test('the log is written in many places', () => expect(new Set(written).size).toBeGreaterThan(30))

test.each([...new Set([...written, ...Object.values(personalReads)])])(
  'the audit log has words for %s in both languages',
  (name) => {
    expect(english.actions[name]).toMatch(/^[A-Z]/)
    expect(nepali.actions[name]).toMatch(/[\u0900-\u097f]/)
  },
)

test('the filter of the log offers the kind of every action', () => {
  const kinds = new Set(Object.keys(english.actions).map((action) => action.split('.')[0]))
  expect(Object.keys(english.kinds).toSorted()).toEqual([...kinds].toSorted())
})

test('both languages have words for the same actions and kinds', () => {
  expect(Object.keys(nepali.actions)).toEqual(Object.keys(english.actions))
  expect(Object.keys(nepali.kinds)).toEqual(Object.keys(english.kinds))
  expect(Object.keys(nepali.targets)).toEqual(Object.keys(english.targets))
  expect(Object.keys(nepali.labels)).toEqual(Object.keys(english.labels))
})

const tables = fs.readFileSync(path.resolve(import.meta.dirname, '../../server/src/db/tables.ts'), 'utf8')
/** Not written down: its id, its times and its secret. */
const unsaid = /^(id|(created|changed|deleted|given_up)_\w+|\w+_sealed)$/
const columnsOf = (table: string) => {
  const [, body = ''] = new RegExp(`interface ${table} \\{([^}]*)\\}`).exec(tables) ?? []
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column = '']) => column).filter((column) => !unsaid.test(column))
}

test('the audit log has words for each setting of a trunk, a dialer and a contract', () => {
  const settings = [...['Trunk', 'Dialer', 'OperatorContract'].flatMap(columnsOf), ...Object.keys(plainSipOptions)]
  expect(settings).toContain('pilot_number')
  expect(settings.filter((name) => english.labels[name] === undefined)).toEqual([])
})
