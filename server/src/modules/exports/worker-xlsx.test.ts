import { expect, test } from 'vitest'
import { openSheet, parts, rowsOfSheet } from './worker-xlsx.ts'

const dayMs = 24 * 3600_000

test('the number of a time is that second, so that no program shows or filters the one before', () => {
  for (let second = 0; second < 86_400; second += 61) {
    const moment = Date.UTC(2026, 10, 27) + second * 1000
    const time = new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
    const value = /<v>(.*)<\/v>/.exec(rowsOfSheet([[time]], [{ kind: 'time' }]))?.[1]
    const shownMs = Number(value) * dayMs + Date.UTC(1899, 11, 30)
    expect(Math.abs(shownMs - moment), time).toBeLessThan(0.01)
  }
})

test('a workbook names its default style, which libraries look for', () => {
  const styles = new Map(parts(1)).get('xl/styles.xml')
  expect(styles).toContain(
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  )
})

test.each([
  { cell: '500', is: '<c><v>500</v></c>' },
  { cell: '-3000.60', is: '<c s="4"><v>-3000.60</v></c>' },
  { cell: '3,000.60', is: '<c s="2"><v>3000.60</v></c>' },
  { cell: '1,25,000', is: '<c s="5"><v>125000</v></c>' },
  { cell: '0', is: '<c><v>0</v></c>' },
  ...['0012', '9841000001', '015970001', '12.5', '1,2', '1,25', '12E5', '', 'Rs 500', '२०'].map((cell) => ({
    cell,
    is: cell === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`,
  })),
])('a contact file’s ‘$cell’ is a number if Excel shows the same digits, and otherwise a text', ({ cell, is }) => {
  expect(rowsOfSheet([[cell]], [{ kind: 'value' }])).toBe(`<row>${is}</row>`)
})

test('how calls ended is in words, and headings are bold', () => {
  const ends = ['ANSWER', 'NO ANSWER', 'EXPIRED', 'DND', null]
  const texts = rowsOfSheet(
    ends.map((end) => [end]),
    [{ kind: 'outcome' }],
  ).match(/(?<=preserve">)[^<]*/g)
  expect(texts).toEqual(['Answered', 'No answer', 'Not called to the end', 'DND'])
  expect(openSheet([{ header: 'Mobile', kind: 'text' }])).toContain('<row><c s="3" t="inlineStr">')
  expect(new Map(parts(1)).get('xl/styles.xml')).toContain('<xf fontId="1" fillId="2" borderId="1"')
})
