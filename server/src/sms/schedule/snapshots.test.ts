import { expect, test } from 'vitest'
import type { Queryable } from '../../dispatch/statement.ts'
import { SmsSnapshots } from './snapshots.ts'

test('while there is no campaign, a tick asks the database for nothing but campaigns', async () => {
  const asked: string[] = []
  const query = ({ name }: { name: string }) => (asked.push(name), Promise.resolve({ rows: [] }))
  const snapshot = await new SmsSnapshots({ query } as unknown as Queryable).read({ all: true })
  expect(snapshot.campaigns).toEqual([])
  expect(asked).toEqual(['sms_load_campaigns'])
})
