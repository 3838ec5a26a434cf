import { expect, test } from 'vitest'
import { arrayText } from './statement.ts'
import { engineDb } from '../voice/testing/db.ts'

const at = await engineDb(1)

test.each([
  {
    type: 'text[]',
    values: ['a', 'NO ANSWER', '', 'null', 'NULL', null, '"', '\\', '\\"', '\\\\', 'a\\', '{a,b}', 'a\nb', 'दशैं', " ' "],
  },
  { type: 'bigint[]', values: [1, -5, 9779800000000, Number.MAX_SAFE_INTEGER, null] },
  { type: 'jsonb[]', values: ['{"a": "b\\"c\\\\d"}', '[]', null] },
  { type: 'timestamptz[]', values: ['2026-11-21T04:05:06.789Z', null] },
  { type: 'campaign_status[]', values: ['onHold', null] },
  { type: 'boolean[]', values: [true, false, null] },
  { type: 'int[]', values: [] },
])('$type is read as it was written', async ({ type, values }) => {
  const { rows } = await at.engine.query<{ same: boolean; n: number }>(
    `select $1::${type} = array(select (e #>> '{}')::${type.slice(0, -2)} from jsonb_array_elements($2::jsonb) e) as same, cardinality($1::${type}) as n`,
    [arrayText(values), JSON.stringify(values)],
  )
  expect(rows).toEqual([{ same: true, n: values.length }])
})

test('a moment is the same moment, undefined is null, and a bigint loses no digit', async () => {
  const moments = [new Date(0), new Date('2026-11-21T09:50:06.789+05:45'), undefined]
  const { rows } = await at.engine.query('select $1::timestamptz[] as moments, $2::bigint[]::text[] as numbers', [
    arrayText(moments),
    arrayText([9_223_372_036_854_775_807n]),
  ])
  expect(rows).toEqual([{ moments: [moments[0], moments[1], null], numbers: ['9223372036854775807'] }])
})

test.each([
  { type: 'timestamptz[]', value: new Date(NaN), code: '22007' },
  { type: 'int[]', value: NaN, code: '22P02' },
  { type: 'bigint[]', value: 1e21, code: '22P02' },
  { type: 'int[]', value: 1.5, code: '22P02' },
])('$value is no $type: the database says so, as of any value that it does not take', async ({ type, value, code }) => {
  await expect(at.engine.query(`select $1::${type}`, [arrayText([value])])).rejects.toMatchObject({ code })
})

test.each([{ value: ['a'] }, { value: { a: 1 } }, { value: Buffer.from('a') }])(
  '$value is no element: it would be read as something else',
  ({ value }) => {
    expect(() => arrayText([value])).toThrow('an array of the engine holds plain values only')
  },
)
