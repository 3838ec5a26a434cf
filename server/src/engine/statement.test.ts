import { expect, test } from 'vitest'
import { arrayText } from './statement.ts'
import { engineDb } from './testing-db.ts'

const at = await engineDb(1)

test.each([
  {
    type: 'text[]',
    values: ['a', 'NO ANSWER', '', 'null', 'NULL', null, '"', '\\', '\\"', '{a,b}', 'a\nb', 'दशैं', " ' "],
  },
  { type: 'bigint[]', values: [1, -5, 9779800000000, null] },
  { type: 'jsonb[]', values: ['{"a": "b\\"c\\\\d"}', null] },
  { type: 'timestamptz[]', values: ['2026-11-21T04:05:06.789Z', null] },
  { type: 'boolean[]', values: [true, false, null] },
  { type: 'int[]', values: [] },
])('$type is read as it was written', async ({ type, values }) => {
  const { rows } = await at.engine.query<{ json: unknown[]; same: boolean }>(
    `select to_jsonb($1::${type}) as json, $1::${type} = array(select (e #>> '{}')::${type.slice(0, -2)} from jsonb_array_elements($2::jsonb) e) as same`,
    [arrayText(values), JSON.stringify(values)],
  )
  expect(rows[0]?.same).toBe(true)
})

test('a moment is written in UTC', () => {
  expect(arrayText([new Date(0)])).toBe('{"1970-01-01T00:00:00.000Z"}')
})
