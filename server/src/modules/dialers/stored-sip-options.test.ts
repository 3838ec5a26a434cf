/** What becomes of the options that trunks have stored when a default or a limit changes. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { SipOptions } from '@ghanti/contract/sip-options.ts'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testDb } from '../../testing/db.ts'
import { newLine } from '../../testing/seed.ts'

const app = await testDb()
const folder = path.resolve(import.meta.dirname, '../../../migrations')
const migration = (number: string): string => {
  const file = fs.readdirSync(folder).find((name) => name.startsWith(`${number}_`)) ?? ''
  return fs.readFileSync(path.join(folder, file), 'utf8')
}

const stored: { why: string; before: object; after: Partial<SipOptions> }[] = [
  { why: 'nothing was stored', before: {}, after: { sessionTimers: 'offered', sessionSeconds: 90 } },
  {
    why: 'the old default was stored',
    before: { sessionTimers: 'always', sessionSeconds: 90, diversion: '015970009' },
    after: { sessionTimers: 'offered', sessionSeconds: 90, diversion: '015970009' },
  },
  {
    why: 'somebody chose another time',
    before: { sessionTimers: 'always', sessionSeconds: 600 },
    after: { sessionTimers: 'always', sessionSeconds: 600 },
  },
  { why: 'they were off', before: { sessionTimers: 'off' }, after: { sessionTimers: 'off' } },
  { why: 'silence within the limit', before: { silentSeconds: 10 }, after: { silentSeconds: 10 } },
  { why: 'silence beyond it', before: { silentSeconds: 45 }, after: { silentSeconds: 30 } },
]

test('stored options keep what somebody chose, follow a new default, and stay within a new limit', async () => {
  const owner = new Client({ connectionString: app.url })
  await owner.connect()
  const trunks: number[] = []
  for (const { before } of stored) {
    const { trunkId } = await newLine(app)
    trunks.push(trunkId)
    await owner.query('alter table trunk drop constraint if exists trunk_silent_seconds')
    await owner.query('update trunk set sip_options = $1 where id = $2', [JSON.stringify(before), trunkId])
  }
  await owner.query(migration('0266'))
  await owner.query(migration('0267'))
  const { rows } = await owner.query('select sip_options from trunk where id = any ($1) order by id', [trunks])
  expect(rows.map(({ sip_options }) => z.parse(SipOptions, sip_options))).toMatchObject(
    stored.map(({ after }) => after),
  )
  const late = owner.query(`update trunk set sip_options = '{"silentSeconds": 45}' where id = $1`, [trunks[0]])
  await expect(late).rejects.toThrow('trunk_silent_seconds')
  await owner.end()
})
