import { patiently } from './busy.ts'
import { askFor } from './client.ts'

/** A frame is needed until its download begins; none takes so long to begin. */
const frameMs = 5 * 60_000

/**
 * Follows links with `download` in a frame: the browser writes the file to the disk as it comes, and what the server refuses leaves the page as it
 * is. `onFailure` gets the refusal; what the account has too much of is asked for again when the server said that there is room.
 */
export function watchDownloads(onFailure: (error: unknown) => void): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || event.defaultPrevented) return
    if (link.dataset['plain'] !== undefined || !link.href.startsWith(`${location.origin}/`)) return
    event.preventDefault()
    patiently(() => inFrame(link.href)).catch(onFailure)
  })
}

/** A frame loads a page when there is nothing to download: the server is asked again why. */
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

/**
 * The browser writes the file to the disk, under the server's name if `fileName` is empty: what was refused a moment ago and is not now, or would be
 * shown rather than stored.
 */
export function saveAs(address: string, fileName: string): void {
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName })
  link.dataset['plain'] = ''
  link.click()
}
