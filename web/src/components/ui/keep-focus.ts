/** Focusable elements; disabled and hidden ones are excluded in code. */
const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])'
/** The focus never moves out of these by itself. */
const floats = '[role=dialog], [role=menu], [role=listbox]'
const areas = `main, header, nav, [role=status], ${floats}`

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true })
}

function controlsIn(around: Element): HTMLElement[] {
  return [...around.querySelectorAll<HTMLElement>(controls)]
}

/** Counts the controls among the siblings before the element and inside them. */
function controlsBefore(element: Element): number {
  let count = 0
  for (let before = element.previousElementSibling; before; before = before.previousElementSibling)
    count += controlsIn(before).length + (before.matches(controls) ? 1 : 0)
  return count
}

/**
 * Where the focus goes when `element` disappears: the control in its place, which for a deleted row is the same one in the next row. Call
 * it while the element exists. The result is null when its surroundings disappeared too.
 */
function placeOf(element: HTMLElement): () => HTMLElement | null {
  const area = element.closest(areas)
  const steps: { around: Element; at: number }[] = []
  let at = 0
  let child: Element = element
  for (let around = element.parentElement; around && area?.contains(around); around = around.parentElement) {
    // One pass over what precedes it, because this runs at each change of the focus.
    at += controlsBefore(child) + (child !== element && child.matches(controls) ? 1 : 0)
    if (element.matches(controls)) steps.push({ around, at })
    child = around
  }
  return () => {
    if (canHaveFocus(element)) return element
    for (const { around, at } of steps) {
      if (!around.isConnected) continue
      const all = controlsIn(around)
      const next = [...all.slice(at), ...all.slice(0, at).toReversed()].find(canHaveFocus)
      if (next) return next
    }
    return area?.isConnected === false ? null : document.querySelector('main')
  }
}

/** Longer than a loading part, menu or dialog takes to claim the focus. */
const settledMs = 40

type Held = { element: HTMLElement; place: ReturnType<typeof placeOf> }
const holding = (element: HTMLElement): Held => ({ element, place: placeOf(element) })

/**
 * The browser drops the focus when its element is deleted, closed or disabled, and keyboard users start at the top of the page. This keeps it in place,
 * and returns it to the opener of a dialog or menu. Call the result to stop.
 */
export function keepFocus(): () => void {
  const ends = new AbortController()
  const { signal } = ends
  // What was last focused in floating elements, and in the page below them.
  let above: Held | null = null
  let below: Held | null = null
  let timer = 0
  const isLost = () => (above ?? below) !== null && document.activeElement === document.body
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      above = target.closest(floats) ? holding(target) : null
      if (!above) below = holding(target)
    },
    { signal },
  )
  // A click outside of all controls removes the focus on purpose.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      const pressed = (held: Held | null) => target instanceof Node && held?.element.contains(target)
      if (!pressed(above) && !pressed(below) && !(target instanceof Element && target.closest(floats)))
        above = below = null
    },
    { signal },
  )
  const goOn = () => {
    if (!isLost()) return
    const { element } = above ?? below ?? {}
    if (element?.isConnected && element.matches(':disabled')) return // waits until it is enabled again
    const next = above?.place() ?? below?.place()
    next?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!isLost()) return
    window.clearTimeout(timer)
    timer = window.setTimeout(goOn, settledMs)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  return () => {
    ends.abort()
    observer.disconnect()
  }
}
