import { Button } from '@mantine/core'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { useId } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { openTestCall } from '../test-call/open.tsx'
import classes from './Compose.module.css'
import { toPreviewBody } from './compose-body.ts'
import type { ComposeForm } from './form.ts'
import type { Preview } from './queries.ts'
import { labelsOf } from './wire-fields.ts'

type TestButtonProps = { values: ComposeForm; baseId: number | null; estimate: Preview['estimate'] }

/** Calls own numbers with what is in the form, as soon as it says what a call would cost. */
export function TestButton({ values, baseId, estimate }: TestButtonProps) {
  const t = useTexts('compose')
  const hintId = useId()
  const { cli } = values
  const ready = baseId !== null && cli !== null && estimate !== null
  const open = () => {
    if (!ready) return
    const body = { ...toPreviewBody(values, baseId), scheduleTime: '', campaignName: values.campaignName.trim() }
    openTestCall(values.campaignName.trim() || t.test.button, {
      source: { body },
      cli,
      prices: estimate,
      labels: labelsOf(t, values),
    })
  }
  return (
    <div>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconPhoneOutgoing size={18} stroke={1.7} aria-hidden />}
        disabled={!ready}
        aria-describedby={ready ? undefined : hintId}
        onClick={open}
      >
        {t.test.button}
      </Button>
      {!ready && (
        <p id={hintId} className={classes.under}>
          {t.test.incomplete}
        </p>
      )}
    </div>
  )
}
