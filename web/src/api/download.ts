import { retryWhileBusy } from './retry-while-busy.ts'
import { askFor } from './client.ts'

/** A frame is needed until its download starts, which takes less than this. */
const frameMs = 5 * 60_000

/**
 * Follows links with `download` in a frame: the browser streams the file to disk, and a refusal leaves the page as it is. `onFailure` gets
 * the refusal. Retries what the account had too much of.
 */
export function watchDownloads(onFailure: (error: unknown) => void): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || event.defaultPrevented) return
    if (link.dataset['plain'] !== undefined || !link.href.startsWith(`${location.origin}/`)) return
    event.preventDefault()
    retryWhileBusy(() => inFrame(link.href)).catch(onFailure)
  })
}

/** A frame that loads a page has downloaded nothing: asks the server again for the reason. */
function inFrame(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const frame = document.createElement('iframe')
    const end = (): void => (clearTimeout(timer), frame.remove())
    const timer = setTimeout(() => (end(), resolve()), frameMs)
    frame.hidden = true
    frame.src = address
    frame.addEventListener('load', () => {
      end()
      askFor(address)
        .then(() => saveAs(address, ''))
        .then(resolve, reject)
    })
    document.body.append(frame)
  })
}

/** Downloads a file that was just refused, or that the browser would show instead. With an empty `fileName` it keeps the server's name. */
export function saveAs(address: string, fileName: string): void {
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName })
  link.dataset['plain'] = ''
  link.click()
}

/** Downloads a sound, which the browser would play. The server is asked first, because a refused download shows no error by itself. */
export async function saveSound(address: string, fileName: string): Promise<void> {
  await askFor(address)
  saveAs(address, fileName)
}
