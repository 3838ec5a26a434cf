import { retentionRoutes } from '@ghanti/contract/retention.ts'
import { call } from '../../api/client.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { textsOf } from '../../i18n/language.ts'

export type Archiving = {
  row: { campaignId: number; campaignName: string; archived?: true | undefined }
  route: 'archiveCalls' | 'archiveMessages'
  again: () => Promise<unknown>
}

/** Without confirmation, because it can be undone. */
export async function archiveOrBringBack({ row, route, again }: Archiving): Promise<void> {
  const { done, fields } = textsOf('retention')
  const set = (archived: boolean) => call(retentionRoutes[route], { campaignId: row.campaignId, archived }).then(again)
  const archived = row.archived !== true
  try {
    await set(archived)
    showDone((archived ? done.archived : done.broughtBack)(row.campaignName), () => set(!archived))
  } catch (error) {
    showFailure(error, fields)
  }
}
