/** As if a link with `download` had been followed. */
export function download(address: string): void {
  const link = Object.assign(document.createElement('a'), { href: address, download: '' })
  document.body.append(link) // watchDownloads hears of it
  link.click()
  link.remove()
}
