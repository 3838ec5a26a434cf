import { IconHeadphones } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/language.ts'
import { openPreviewCall } from '../../preview-call/open.tsx'
import { toPreviewBody } from '../compose-body.ts'
import type { ComposeForm } from '../form.ts'
import { ReadyButton } from './ReadyButton.tsx'
import { composeTemplateOf } from '../templates/table.ts'
import { problemsIn } from '../validate.ts'
import { labelsOf } from '../wire-fields.ts'

export function HearButton({ values, baseId }: { values: ComposeForm; baseId: number | null }) {
  const t = useTexts('compose')
  const template = composeTemplateOf(values.template)
  const isComplete = template !== undefined && Object.keys(problemsIn(template.schema(values), values)).length === 0
  return (
    <ReadyButton
      text={t.hear.button}
      icon={<IconHeadphones size={18} stroke={1.7} aria-hidden />}
      isReady={baseId !== null && isComplete}
      missing={t.hear.incomplete}
      onClick={() => {
        if (baseId === null) return
        openPreviewCall(t.hear.title, { body: toPreviewBody(values, baseId) }, labelsOf(t, values))
      }}
    />
  )
}
