/** What the keyboard may be at; only those are counted that some state of theirs does not take out. */
const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])'
/** Nothing outside of these takes over what one of them loses. */
const floats = '[role=dialog], [role=menu], [role=listbox]'
const areas = `main, header, nav, [role=status], ${floats}`

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true })
}

function controlsIn(around: Element): HTMLElement[] {
  return [...around.querySelectorAll<HTMLElement>(controls)]
}

/**
 * Where the keyboard goes on when `element` is gone: at the control that took its place, which of a deleted row is the same one of the next row.
 * To be asked while the element is there. Null: all that was around it went too.
 */
function placeOf(element: HTMLElement): () => HTMLElement | null {
  const area = element.closest(areas)
  const steps: { around: Element; at: number }[] = []
  for (let around = element.parentElement; around && area?.contains(around); around = around.parentElement)
    steps.push({ around, at: controlsIn(around).indexOf(element) })
  return () => {
    if (canHaveFocus(element)) return element
    for (const { around, at } of steps) {
      if (!around.isConnected || at < 0) continue
      const all = controlsIn(around)
      const next = [...all.slice(at), ...all.slice(0, at).toReversed()].find(canHaveFocus)
      if (next) return next
    }
    return area?.isConnected === false ? null : document.querySelector('main')
  }
}

/** Longer than a part that arrives, a menu or a dialog takes to claim the focus. */
const settledMs = 40

type Held = { element: HTMLElement; place: ReturnType<typeof placeOf> }
const holding = (element: HTMLElement): Held => ({ element, place: placeOf(element) })

/**
 * What has the focus may be deleted with its row, closed with its toast, or disabled until the server answers; the browser then gives the focus to
 * nobody, and whoever works by keyboard begins at the top of the page. Here it goes on at the same place: of a dialog or menu that has closed, where
 * that was opened. Until what it answers is called.
 */
export function keepFocus(): () => void {
  const ends = new AbortController()
  const { signal } = ends
  /** In what floats over the page, and in the page. */
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
  // Whoever presses beside everything wants the focus nowhere.
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
    if (element?.isConnected && element.matches(':disabled')) return // until it is enabled again
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
