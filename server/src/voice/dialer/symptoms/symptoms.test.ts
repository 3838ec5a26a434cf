import { expect, test } from 'vitest'
import { engineDb } from '../../testing/db.ts'
import { newFixtures } from '../../testing/fixtures.ts'
import { fenced } from '../../../dispatch/statement.ts'
import { addSymptoms } from './symptoms.sql.ts'
import { noSymptoms } from './trunk-symptoms.ts'

const at = await engineDb()

test('a round adds to the trunk’s hour and returns it with the one before, and reads no other hours', async () => {
  const { lease, line } = await newFixtures(at)
  await at.pool.query(
    `insert into trunk_symptom
     select $1, nepal_minute(now()) / 60 - n, n, 0, 0, 0, 0, 0, 0, 0, 0, 'hour ' || n from generate_series(1, 5000) n`,
    [line.trunkId],
  )
  await at.pool.query('analyze trunk_symptom')
  const seen: { text: string }[] = []
  const engine = new Proxy(at.engine, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return (query: { text: string }, ...values: unknown[]) => {
        seen.push(query)
        return Reflect.apply(target.query, target, [query, ...values])
      }
    },
  })
  const trunks = [{ trunkId: line.trunkId, counts: { ...noSymptoms, asked: 3 }, contradiction: null }]
  await addSymptoms(engine, lease, trunks)
  const [row] = await addSymptoms(engine, lease, trunks)
  expect(row).toMatchObject({ hour: { asked: 6 }, before: { answered: 1 }, contradiction: 'hour 1' })
  const { rows } = await at.pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${seen[0]?.text}`, [
    ...fenced(lease),
    JSON.stringify(trunks),
  ])
  expect(rows.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Seq Scan on trunk_symptom')
})
