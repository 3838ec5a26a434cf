import { useState, useSyncExternalStore } from 'react'
import type { ScreenLine } from '../paths.ts'

const key = 'ghanti.menu'

const matches = (query: string) => matchMedia(`(max-width:${query}px)`).matches
/** 0: the sidebar is a drawer; 1: a wide table needs its room; 2: there is room for both. */
const roomNow = () => (matches('900') ? 0 : matches('1359') ? 1 : 2)
function onResize(changed: () => void) {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

/** Storage may be forbidden; a choice then lasts as long as the page. */
function stored(choice?: string): boolean {
  try {
    if (choice !== undefined) localStorage.setItem(key, choice)
    return localStorage.getItem(key) === 'rail'
  } catch {
    return false
  }
}

/** Whether the sidebar shows icons only: by choice, which is kept, or beside a wide table, where opening it lasts for this screen. */
export function useRail(line: ScreenLine | undefined) {
  const room = useSyncExternalStore(onResize, roomNow)
  const [chosen, choose] = useState(() => stored())
  const [openedAt, openAt] = useState<ScreenLine>()
  const isTight = room === 1 && line?.wide === true
  const set = (isRail: boolean) => {
    openAt(isRail ? undefined : line)
    if (isRail && isTight) return
    choose(isRail)
    stored(isRail ? 'rail' : '')
  }
  return { isRail: room > 0 && (chosen || (isTight && openedAt !== line)), set }
}
