import type { Page } from 'playwright-core'

/** The least box of what can be pressed, with a mouse and with a finger. */
const pressablePx = { mouse: 24, finger: 44 } as const

/** What people see and no rule of accessibility asks: see `faultsIn`. A window as narrow as a phone's is measured as one that is touched. */
export async function measured(page: Page): Promise<string[]> {
  const isTouched = (page.viewportSize()?.width ?? Infinity) < 600
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: isTouched })
  try {
    // Styles follow the emulation, sometimes frames later.
    await page.waitForFunction((coarse) => matchMedia('(pointer: coarse)').matches === coarse, isTouched)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const least = pressablePx[isTouched ? 'finger' : 'mouse']
    const { faults, untitled } = await page.evaluate(faultsIn, { least })
    return [...faults, ...(untitled > 0 ? await page.evaluate(stillUntitled) : [])]
  } finally {
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await cdp.detach()
  }
}

/** A title comes with the pointer, from code that loads then. */
async function stillUntitled(): Promise<string[]> {
  const cut = () => [...document.querySelectorAll('[data-cut-untitled]')].filter((one) => !one.closest('[title]'))
  for (let tries = 0; tries < 20 && cut().length > 0; tries++) {
    for (const one of cut()) one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  const left = cut().map((one) => `cut, without a title that says it in full: ${one.textContent.slice(0, 60)}`)
  for (const one of document.querySelectorAll('[data-cut-untitled]')) one.removeAttribute('data-cut-untitled')
  return left
}

/**
 * Text over text, text that is cut without an ellipsis, boxes too small to be pressed, entries of menus without room, scroll bars across in
 * dialogs, and elements wider than what they stand in. Marks cut text without a title, and counts it.
 */
function faultsIn({ least }: { least: number }): { faults: string[]; untitled: number } {
  type Box = { left: number; right: number; top: number; bottom: number }
  const named = (element: Element): string => {
    const { className, id } = element
    const words = (element.getAttribute('aria-label') ?? element.textContent)
      .trim()
      .replaceAll(/\s+/g, ' ')
      .slice(0, 40)
    const kind = id ? `#${id}` : typeof className === 'string' && className ? `.${className.split(' ')[0]}` : ''
    return `${element.tagName.toLowerCase()}${kind} “${words}”`
  }
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('[aria-hidden=true], [inert], svg')
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, known)
    return known
  }
  const ancestors = (element: Element): Element[] => {
    const all: Element[] = []
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) all.push(at)
    return all
  }
  const cuts = (value: string) => value === 'hidden' || value === 'clip'
  const scrolls = (value: string) => value === 'auto' || value === 'scroll'
  const cross = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const isEmpty = ({ left, right, top, bottom }: Box) => right - left < 2 || bottom - top < 2
  const everything = [...document.body.querySelectorAll('*')].filter(isShown)

  /** Moves on its own, or floats above the page until it is closed. */
  const isLayer = (element: Element): boolean =>
    ['fixed', 'sticky'].includes(styleOf(element).position) ||
    (styleOf(element).position === 'absolute' && element.matches('[role=dialog], [role=menu], [role=listbox]'))

  // Lines of text as they are seen, each with its layer.
  type Line = { of: Element; layer: Element | null; box: Box }
  const lines: Line[] = []
  const faults: string[] = []
  let untitled = 0
  const range = document.createRange()
  for (const element of everything) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    if (texts.length === 0 || element.matches('option, legend, title')) continue
    const around = ancestors(element)
    const layer = around.find(isLayer) ?? null
    let isCut: Element | null = null
    for (const text of texts) {
      range.selectNodeContents(text)
      for (const rect of range.getClientRects()) {
        let box: Box = rect
        let isLoose = false
        for (const one of around) {
          const { overflowX, overflowY, position } = styleOf(one)
          // What is placed absolutely is cut by what it is placed in, and by nothing between.
          if (isLoose && position === 'static') continue
          isLoose = position === 'absolute'
          if (overflowX !== 'visible' || overflowY !== 'visible') {
            const its = one.getBoundingClientRect()
            // Hidden from sight, for those who hear the page.
            if (its.width <= 2 && its.height <= 2) box = { left: 0, right: 0, top: 0, bottom: 0 }
            const lost = Math.max(its.left - box.left, box.right - its.right)
            const lostLow = Math.min(box.bottom - its.bottom, rect.height)
            const isLost = (cuts(overflowX) && lost > 1.5) || (cuts(overflowY) && lostLow > rect.height / 3)
            if (isLost && !isEmpty(box)) isCut ??= one
            box = cross(box, its)
          }
          if (position === 'fixed') break
        }
        if (!isEmpty(box)) lines.push({ of: element, layer, box })
      }
    }
    if (!isCut) continue
    const isEnded = [element, isCut].some((one) => {
      const { textOverflow, webkitLineClamp } = styleOf(one)
      return textOverflow === 'ellipsis' || !['none', ''].includes(webkitLineClamp)
    })
    if (!isEnded) faults.push(`cut, without an ellipsis: ${named(element)}`)
    else if (!element.closest('[title]')) {
      element.setAttribute('data-cut-untitled', '')
      untitled++
    }
  }

  // Text over text. Boxes of lines are higher than their letters, so a third of a line may be shared.
  const sorted = lines.toSorted((a, b) => a.box.top - b.box.top)
  const told = new Set<string>()
  for (const [at, one] of sorted.entries()) {
    for (const other of sorted.slice(at + 1)) {
      if (other.box.top >= one.box.bottom) break
      if (one.layer !== other.layer || one.of === other.of) continue
      const { left, right, top, bottom } = cross(one.box, other.box)
      const height = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top)
      if (right - left > 3 && bottom - top > height * 0.4)
        told.add(`text over text: ${named(one.of)} and ${named(other.of)}`)
    }
  }
  faults.push(...told)

  const pressable =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=menuitem], [role=option], [role=tab], [role=switch]'
  const isInSentence = (element: Element): boolean => {
    const { parentElement: parent } = element
    if (!styleOf(element).display.startsWith('inline') || !parent) return false
    return [...parent.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
  }
  for (const element of everything) {
    if (!(element instanceof HTMLElement) || !element.matches(pressable) || isInSentence(element)) continue
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const boxes = [element, ...labels.filter(isShown)].map((one) => one.getBoundingClientRect())
    // A mark in a frame that gives it the focus, such as the field of a list of options.
    const [width, height] = (['left', 'top'] as const).map((start) => {
      const end = start === 'left' ? 'right' : 'bottom'
      return Math.max(...boxes.map((box) => box[end])) - Math.min(...boxes.map((box) => box[start]))
    })
    if (width === undefined || height === undefined || width < 2 || height < 2) continue
    // A link of words alone is as wide as they are: more would lie over what stands beside it.
    const isOfWords =
      element.matches('a') && styleOf(element).display.startsWith('inline') && !element.querySelector('svg, img')
    if ((!isOfWords && width < least - 0.5) || height < least - 0.5)
      faults.push(`${Math.round(width)} × ${Math.round(height)} px to press: ${named(element)}`)
  }

  for (const item of document.querySelectorAll('[role=menuitem], [role=option]')) {
    if (!isShown(item)) continue
    const { paddingLeft, paddingRight } = styleOf(item)
    const { height } = item.getBoundingClientRect()
    if (height < 31.5 || Math.min(parseFloat(paddingLeft), parseFloat(paddingRight)) < 6)
      faults.push(`an entry without room, ${Math.round(height)} px: ${named(item)}`)
  }

  for (const dialog of document.querySelectorAll('[role=dialog]')) {
    for (const element of [dialog, ...dialog.querySelectorAll('*')]) {
      if (isShown(element) && scrolls(styleOf(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
        faults.push(
          `scrolls across in a dialog, ${element.scrollWidth} px in ${element.clientWidth}: ${named(element)}`,
        )
    }
  }

  for (const element of everything) {
    const { parentElement: parent } = element
    if (!parent || !(element instanceof HTMLElement) || element.matches('tr, td, th, tbody, thead, tfoot, option'))
      continue
    const { position, display, marginLeft, marginRight } = styleOf(element)
    if (position === 'absolute' || position === 'fixed' || display === 'inline' || display === 'contents') continue
    // What scrolls may be wider, and what is cut by design was looked at above.
    if (ancestors(parent).some((one) => styleOf(one).overflowX !== 'visible')) continue
    if (styleOf(parent).display === 'contents' || styleOf(parent).display === 'inline') continue
    const outset = Math.max(0, -parseFloat(marginLeft)) + Math.max(0, -parseFloat(marginRight))
    const [wide, room] = [element.getBoundingClientRect().width - outset, parent.getBoundingClientRect().width]
    if (wide > 2 && room > 0 && wide > room + 1)
      faults.push(`wider than what it stands in, ${Math.round(wide)} px in ${Math.round(room)}: ${named(element)}`)
  }
  return { faults: [...new Set(faults)], untitled }
}
