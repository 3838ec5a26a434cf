import { afterEach, expect, test, vi } from 'vitest'
import { highlight } from './live-highlight.ts'

afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

function marked(): (string | undefined)[] {
  document.body.innerHTML = '<main><table><tr data-row="7"></tr><tr data-row="8"></tr></table></main>'
  const animate = vi.spyOn(HTMLTableRowElement.prototype, 'animate')
  highlight([7, 9])
  expect(animate.mock.calls.every(([, duration]) => duration === 120)).toBe(true)
  return animate.mock.contexts.map((row) => (row instanceof HTMLElement ? row.dataset['row'] : undefined))
}

test('the rows of changed campaigns are marked for 120 ms, and no others', () => {
  expect(marked()).toEqual(['7'])
})

test('nothing is marked where less motion is wished for', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  expect(marked()).toEqual([])
})
