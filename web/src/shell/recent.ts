import { useSession } from '../api/session.ts'

export type Place = { path: string; label: string; hint?: string }

const recentMax = 6
/** In the session's storage, which signing out empties, because it contains names of customers and campaigns. */
const storageKey = (userId: number) => `ghanti-recent-${userId}`

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'label' in value &&
  typeof value.label === 'string'

function read(userId: number): Place[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPlace) : []
  } catch {
    return []
  }
}

export function useRecent(): { recent: Place[]; remember: (place: Place) => void } {
  const { userId } = useSession()
  const recent = read(userId)
  const remember = ({ path, label, hint }: Place) => {
    const next = [{ path, label, ...(hint ? { hint } : {}) }, ...recent.filter((place) => place.path !== path)]
    try {
      sessionStorage.setItem(storageKey(userId), JSON.stringify(next.slice(0, recentMax)))
    } catch {
      // Storage may be forbidden; then nothing is remembered.
    }
  }
  return { recent, remember }
}
