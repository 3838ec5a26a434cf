import { useEffect } from 'react'

/** A letter that works on the open screen only. It is listed with the others (shell/KeyList.tsx). */
export type ScreenKey = {
  letter: string
  label: string
  run: () => void
  /** Letters of what it opens, for the list. */
  after?: readonly { letter: string; label: string }[] | undefined
}

const none: readonly ScreenKey[] = []
let offered = none

export const screenKeys = (): readonly ScreenKey[] => offered

/** Offers letters while the calling component is on screen. One component at a time. */
export function useScreenKeys(keys: readonly ScreenKey[]): void {
  useEffect(() => {
    offered = keys
    return () => {
      offered = none
    }
  }, [keys])
}
