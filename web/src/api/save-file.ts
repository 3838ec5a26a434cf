/** Downloads from a menu, as a link with `download` does. */
export function saveFile(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  document.body.append(link) // download.ts hears of it
  link.click()
  link.remove()
}
