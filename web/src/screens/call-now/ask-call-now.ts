import type { CallRow } from '@ghanti/contract/call-report.ts'
import { followupRoutes } from '@ghanti/contract/followups.ts'
import { call } from '../../api/client.ts'
import { showAskedFollowup } from '../../api/followup-state.ts'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'

/** The question of specification 2 §7. YES closes it; a refusal is an Error of its own. `number`: grouped for reading. */
export function askCallNow({ callID }: CallRow, number: string, texts: TextsOf<'callReport'>): void {
  const { callNow: t } = texts
  const labels = { callUID: number, cli: t.cli, plan: t.plan }
  confirm({
    title: number,
    question: t.question,
    failure: t.failure,
    onYes: async () => {
      try {
        showAskedFollowup((await call(followupRoutes.begin, { callUID: callID })).followupId)
      } catch (error) {
        setTimeout(() => showFailure(error, labels, true)) // after the question has closed; with the message (specification 2 §8)
      }
    },
  })
}
