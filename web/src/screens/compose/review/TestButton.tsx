import { IconPhoneOutgoing } from '@tabler/icons-react'
import { useSession } from '../../../api/session.ts'
import { useTexts } from '../../../i18n/language.ts'
import { openTestCall } from '../../test-call/open.tsx'
import { toPreviewBody } from '../compose-body.ts'
import type { ComposeForm } from '../form.ts'
import type { Preview } from '../queries.ts'
import { ReadyButton } from './ReadyButton.tsx'
import { speakingIdOf } from '../templates/speaking.ts'
import { labelsOf } from '../wire-fields.ts'

type TestButtonProps = { values: ComposeForm; baseId: number | null; estimate: Preview['estimate'] }

/** Calls one's own numbers with the form's content, once there is an estimate. */
export function TestButton({ values, baseId, estimate }: TestButtonProps) {
  const t = useTexts('compose')
  const { userId } = useSession()
  const { cli } = values
  const open = () => {
    if (baseId === null || cli === null || estimate === null) return
    const body = { ...toPreviewBody(values, baseId), scheduleTime: '', campaignName: values.campaignName.trim() }
    openTestCall(values.campaignName.trim() || t.test.button, {
      userId,
      source: { body },
      cli,
      speaks: speakingIdOf(values) !== null,
      // Here null means a template without agents.
      prices: { oneCallAtMost: estimate.oneCallAtMost, perAgentMinute: estimate.perAgentMinute ?? 0 },
      labels: labelsOf(t, values),
    })
  }
  return (
    <ReadyButton
      text={t.test.button}
      icon={<IconPhoneOutgoing size={18} stroke={1.7} aria-hidden />}
      isReady={baseId !== null && cli !== null && estimate !== null}
      missing={t.test.incomplete}
      onClick={open}
    />
  )
}
