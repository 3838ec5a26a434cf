/** Opens the palette from anywhere; SpotlightHost listens. */
const listeners = new Set<() => void>()

export function openGoTo(): void {
  listeners.forEach((listener) => listener())
}

export function onGoTo(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
