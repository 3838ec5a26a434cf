import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Asserts WCAG 1.4.11 for drawings on buttons and links, which axe leaves out: 3:1 against what is behind them. */
export async function expectIconsShown(page: Page, what: string): Promise<void> {
  expect(await page.evaluate(faintIcons), `every drawing on a button of “${what}” can be seen`).toEqual([])
}

function faintIcons(): string[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser draws nothing')
  /** Colours lie over each other, the last one on top. */
  const luminanceOf = (colours: readonly string[]): number => {
    for (const colour of colours) {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
    }
    const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) =>
      byte / 255 <= 0.040_45 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element: Element): string[] => {
    const above = element.parentElement
    const own = getComputedStyle(element).backgroundColor
    return above ? [...behind(above), own] : ['white', own]
  }
  return [...document.querySelectorAll('button svg, a svg')]
    .filter((icon) => icon.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((icon) => !icon.closest(':disabled, [aria-disabled=true], [aria-hidden=true]:not(svg)'))
    .filter((icon) => {
      const colours = behind(icon)
      const [a, b] = [luminanceOf([...colours, getComputedStyle(icon).color]), luminanceOf(colours)]
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 3
    })
    .map((icon) => `${getComputedStyle(icon).color}: ${icon.closest('button, a')?.outerHTML.slice(0, 160)}`)
}
