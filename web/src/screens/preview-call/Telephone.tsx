import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { Keypad } from './Keypad.tsx'
import PreviewCall from './PreviewCall.tsx'
import classes from './PreviewCall.module.css'
import type { Source } from './queries.ts'
import { Speaker } from './speaker.ts'

type TelephoneProps = {
  /** The form's call as it stands; null while something is missing, which `missing` names. */
  body: Extract<Source, { body: object }>['body'] | null
  missing: string
  labels: Readonly<Record<string, string>>
}

/** A telephone beside a form. It is silent, and asks the server for nothing, until its call is started; a changed form hangs up. */
export default function Telephone({ body, missing, labels }: TelephoneProps) {
  const t = useTexts('previewCall')
  const [started, setStarted] = useState<{ body: string; speaker: Speaker } | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const now = JSON.stringify(body)
  if (started && started.body !== now) setStarted(null)
  const start = () => {
    const speaker = new Speaker()
    speaker.open()
    setStarted({ body: now, speaker })
    // The keyboard is the keypad; a form's field would take the keys.
    frame.current?.focus()
  }
  return (
    <div ref={frame} tabIndex={-1} className={classes.beside}>
      {body !== null && started?.body === now ? (
        <PreviewCall key={now} source={{ body }} labels={labels} opened={started.speaker} />
      ) : (
        <div className={classes.controls}>
          <p className={classes.hint}>{body === null ? missing : t.hint}</p>
          <div className={classes.buttons}>
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={17} aria-hidden />}
              disabled={body === null}
              onClick={start}
            >
              {t.start}
            </Button>
          </div>
          <Keypad onPress={undefined} />
        </div>
      )}
    </div>
  )
}
