import { Button } from '@mantine/core'
import { IconHeadphones } from '@tabler/icons-react'
import { useId } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { openPreviewCall } from '../preview-call/open.tsx'
import classes from './Compose.module.css'
import { toPreviewBody } from './compose-body.ts'
import type { ComposeForm } from './form.ts'
import { composeTemplateOf } from './templates/table.ts'
import { problemsIn } from './validate.ts'
import { labelsOf } from './wire-fields.ts'

/** Opens what the contacts will hear, as soon as all that a call plays and the contacts are chosen. */
export function HearButton({ values, baseId }: { values: ComposeForm; baseId: number | null }) {
  const t = useTexts('compose')
  const hintId = useId()
  const template = composeTemplateOf(values.template)
  const isComplete = template !== undefined && Object.keys(problemsIn(template.schema(values), values)).length === 0
  const ready = baseId !== null && isComplete
  return (
    <div>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconHeadphones size={18} stroke={1.7} aria-hidden />}
        disabled={!ready}
        aria-describedby={ready ? undefined : hintId}
        onClick={() =>
          ready && openPreviewCall(t.hear.title, { body: toPreviewBody(values, baseId) }, labelsOf(t, values))
        }
      >
        {t.hear.button}
      </Button>
      {!ready && (
        <p id={hintId} className={classes.under}>
          {t.hear.incomplete}
        </p>
      )}
    </div>
  )
}
