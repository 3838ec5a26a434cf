/** Sets the title of a cut cell on hover; one listener serves all cells. */
export function titleWhatIsCut(target: EventTarget, table: HTMLTableElement): void {
  for (
    let element = target instanceof HTMLElement ? target : null;
    element && element !== table;
    element = element.parentElement
  ) {
    if (element.title && element.dataset['cut'] === undefined) return
    const isCut = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1
    if (isCut && getComputedStyle(element).overflow !== 'visible') {
      const lines = element.innerText.split('\n').map((line) => line.trim())
      element.title = lines.filter(Boolean).join(' · ')
      element.dataset['cut'] = ''
      return
    }
    if (element.dataset['cut'] !== undefined) {
      element.removeAttribute('title')
      delete element.dataset['cut']
    }
    if (element.tagName === 'TD') return
  }
}
