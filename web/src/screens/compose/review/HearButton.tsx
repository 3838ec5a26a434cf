import { IconHeadphones } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/language.ts'
import { openPreviewCall } from '../../preview-call/open.tsx'
import type { ComposeForm } from '../form.ts'
import { ReadyButton } from './ReadyButton.tsx'
import { labelsOf } from '../wire-fields.ts'
import { bodyOfCall } from './heard-body.ts'

/** The telephone of narrow screens. */
export function HearButton({ values, baseId }: { values: ComposeForm; baseId: number | null }) {
  const t = useTexts('compose')
  const body = bodyOfCall(values, baseId)
  return (
    <ReadyButton
      text={t.hear.button}
      icon={<IconHeadphones size={18} stroke={1.7} aria-hidden />}
      isReady={body !== null}
      missing={t.hear.incomplete}
      onClick={() => body && openPreviewCall(t.hear.title, { body }, labelsOf(t, values))}
    />
  )
}
