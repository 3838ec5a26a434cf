import { expect, test } from 'vitest'
import { parts, rowsOfSheet } from './worker-xlsx.ts'

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
