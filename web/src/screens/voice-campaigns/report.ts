import { useSyncExternalStore } from 'react'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'

/** 'both' is one zip with both files. */
type ReportType = 'cc' | 'dtmf' | 'both'
export type Wanted = { campaignId: number; campaignName: string; type: ReportType }

let awaited: readonly Wanted[] = []
const listeners = new Set<() => void>()
function setAwaited(next: readonly Wanted[]): void {
  awaited = next
  listeners.forEach((listener) => listener())
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Downloads that wait for their report; they continue when the screen is left. */
export function useAwaitedReports(): readonly Wanted[] {
  return useSyncExternalStore(subscribe, () => awaited)
}

export function useIsAwaited(campaignId: number, type: ReportType): boolean {
  return useSyncExternalStore(subscribe, () => isAwaited(campaignId, type))
}

function isAwaited(campaignId: number, type: ReportType): boolean {
  return awaited.some((other) => other.campaignId === campaignId && other.type === type)
}

/** Downloads a report now, or once it is made; shows failures. Does nothing while it already waits. */
export async function downloadReport(wanted: Wanted): Promise<void> {
  if (isAwaited(wanted.campaignId, wanted.type)) return
  setAwaited([...awaited, wanted])
  try {
    const { fetchReport } = await import('./fetch-report.ts')
    await fetchReport(wanted)
  } catch (error) {
    showFailure(error)
  } finally {
    setAwaited(awaited.filter((other) => other !== wanted))
  }
}
