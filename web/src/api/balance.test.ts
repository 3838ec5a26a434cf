import { expect, test } from 'vitest'
import { freeOf } from './balance.ts'

test('spendable credit is exact to the paisa', () => {
  expect(freeOf({ credits: 20_000.3, reserved: 0.1 })).toBe(20_000.2)
  expect(freeOf({ credits: 12, reserved: 12 })).toBe(0)
})
