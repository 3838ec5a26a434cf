import { basePath } from './api/base.ts'

/** Stylesheets that failed to load. Vite requests each only once, so the part would otherwise appear unstyled. */
const failedSheets = new Set<HTMLLinkElement>()
const typedIn = new WeakSet<HTMLFormElement>()

/** Called once, before anything else is loaded. */
export function watchLoading(): void {
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

/** index.html shows a frame (build/first-frame.ts) until the root has content; Mantine's style elements do not count. */
export function removeFrameOnce(root: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (!root.querySelector(':scope > :not(style)')) return
    observer.disconnect()
    document.getElementById('first-frame')?.remove()
  })
  observer.observe(root, { childList: true })
}

/** Retries a part, with the stylesheets that failed before. */
export async function loadAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  await Promise.all([...failedSheets].map(replaceSheet))
  return load()
}

/** If the new sheet fails too, it joins the failed ones. */
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

/** Whether the console was updated since this page was opened, which renames its parts. False when the server does not answer. */
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

export function somethingIsTyped(): boolean {
  return [...document.forms].some((form) => typedIn.has(form))
}
