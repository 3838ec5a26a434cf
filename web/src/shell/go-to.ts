let open = (): void => {}

/** Opens the palette from anywhere; SpotlightHost listens. */
export const openGoTo = (): void => open()

export function onGoTo(listener: () => void): void {
  open = listener
}
