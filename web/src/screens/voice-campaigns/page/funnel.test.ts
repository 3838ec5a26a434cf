import { expect, test } from 'vitest'
import { funnelOf } from './funnel.ts'

const placesOf = (heard: Readonly<Record<string, number>>) =>
  Object.entries(heard).map(([place, count]) => ({ place, heard: count, left: 0 }))
const shown = (heard: Readonly<Record<string, number>>) => funnelOf(placesOf(heard)).map(({ place }) => place)

test.each([
  {
    why: 'leaves out what only some hear on the way to the thanks',
    heard: { welcome: 1396, menu: 1280, 'menu?': 727, wrongInput: 53, noInput: 411, thanks: 1069 },
    parts: ['welcome', 'menu', 'thanks'],
  },
  {
    why: 'goes through several menus, without the silences after them',
    heard: { welcome: 193, menu1: 185, 'menu1?': 190, menu2: 153, 'menu2?': 103, menu3: 149 },
    parts: ['welcome', 'menu1', 'menu2', 'menu3'],
  },
  { why: 'has no step that nobody heard', heard: { welcome: 9, menu: 0 }, parts: ['welcome'] },
  { why: 'is empty without parts', heard: {}, parts: [] },
])('the funnel $why', ({ heard, parts }) => expect(shown(heard)).toEqual(parts))

test('the funnel never rises, whatever was heard', () => {
  for (let seed = 1; seed < 200; seed += 1) {
    const places = placesOf(
      Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`menu${n}`, (seed * (n + 3) ** 3) % 17])),
    )
    const heard = funnelOf(places).map((place) => place.heard)
    expect(heard).toEqual(heard.toSorted((a, b) => b - a))
  }
})
