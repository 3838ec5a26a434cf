/** As if somebody had clicked a link with `download`. */
export function download(address: string): void {
  const link = Object.assign(document.createElement('a'), { href: address, download: '' })
  document.body.append(link) // watchDownloads listens there
  link.click()
  link.remove()
}
