/** Where the profile's address leads to the keys. */
export const keysAnchor = 'keys'

/** For `ref`: the list loads after the page, when the browser has looked for the place already. */
export function showIfAsked(heading: HTMLElement | null): void {
  if (location.hash === `#${keysAnchor}`) heading?.scrollIntoView()
}
