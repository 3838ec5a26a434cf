import { expect, test } from 'vitest'
import { brandShades, contrastWithWhite } from './theme-colours.ts'

test.each(['#ffe14d', '#ffffff', '#e03131', '#0b66a3', '#102030'])(
  'white text can be read on a button of the brand colour %s',
  (hex) => {
    const shades = brandShades(hex)
    expect(shades).toHaveLength(10)
    expect(contrastWithWhite(shades[6] ?? '')).toBeGreaterThanOrEqual(4.5)
  },
)

test('a dark brand colour stays as it is', () => expect(brandShades('#8B0000')[6]).toBe('#8b0000'))

test.each([null, '', 'red', '#12345', 'javascript:alert(1)'])('%s is not a colour, so our own blue is used', (hex) =>
  expect(brandShades(hex)).toEqual(brandShades(null)),
)
