import { retentionRoutes } from '@ghanti/contract/retention.ts'
import { call } from '../../api/client.ts'
import { showFailure } from '../../components/ui/dialogs.ts'
import { showDone } from '../../components/ui/toasts.ts'

type Archiving = {
  row: { campaignId: number; campaignName: string; archived?: true | undefined }
  route: 'archiveCalls' | 'archiveMessages'
  /** What is told afterwards. */
  told: { archived: (name: string) => string; broughtBack: (name: string) => string }
  labels: Readonly<Record<string, string>>
  again: () => Promise<unknown>
}

/** Takes the campaign out of its list, or back; nothing is lost, so it is done at once and can be undone. */
export function archiveOrBringBack({ row, route, told, labels, again }: Archiving): void {
  const set = (archived: boolean) => call(retentionRoutes[route], { campaignId: row.campaignId, archived }).then(again)
  const archived = row.archived !== true
  set(archived).then(
    () => showDone((archived ? told.archived : told.broughtBack)(row.campaignName), () => set(!archived)),
    (error: unknown) => showFailure(error, labels),
  )
}
