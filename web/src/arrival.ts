import { basePath } from './api/base.ts'

/** Stylesheets of parts that did not arrive. Vite asks for each only once, so the part would come without its looks. */
const failedSheets = new Set<HTMLLinkElement>()
/** Forms in which somebody typed. */
const typedIn = new WeakSet<HTMLFormElement>()

/** Called once, before anything else is loaded. */
export function watchArrivals(): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target)
  }
  const onInput = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (form) typedIn.add(form)
  }
  window.addEventListener('error', onError, true)
  window.addEventListener('input', onInput, true)
}

/** Tries again what did not arrive, with the stylesheets that failed before. */
export async function loadAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  await Promise.all([...failedSheets].map(replaceSheet))
  return load()
}

/** When the new one fails as well it is among the failed by itself. */
async function replaceSheet(failed: HTMLLinkElement): Promise<void> {
  const again = document.createElement('link')
  again.rel = 'stylesheet'
  again.href = failed.href
  failedSheets.delete(failed)
  const loaded = new Promise((resolve, reject) => {
    again.addEventListener('load', resolve)
    again.addEventListener('error', reject)
  })
  failed.replaceWith(again)
  await loaded
}

/** Was the console updated since this page was opened? Then the names of its parts are others. While nobody answers: no. */
export async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  if (!entry) return false
  try {
    const reply = await fetch(`${basePath}/`, { cache: 'no-store' })
    return reply.ok && !(await reply.text()).includes(entry)
  } catch {
    return false
  }
}

/** Would something that was typed be lost with the page? */
export function somethingIsTyped(): boolean {
  return [...document.forms].some((form) => typedIn.has(form))
}
