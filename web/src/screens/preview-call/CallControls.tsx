import { keyWithName, type KeyLabels } from '@ghanti/contract/key-names.ts'
import { Button } from '@mantine/core'
import { IconPhone, IconPhoneOff, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Countdown } from './Countdown.tsx'
import { Keypad, keys } from './Keypad.tsx'
import { isUp, partOf, type HeardCall } from './heard-call.ts'
import type { LiveCall } from './live-call.ts'
import { labelOf } from './part-label.ts'
import classes from './PreviewCall.module.css'

/** `asks`: the flow has a menu; without one no key can be pressed. */
type CallControlsProps = {
  call: LiveCall
  heard: HeardCall
  names: KeyLabels
  asks: boolean
  disabled: boolean
  takesFocus: boolean
}

export function CallControls({ call, heard, names, asks, disabled, takesFocus }: CallControlsProps) {
  const t = useTexts('previewCall')
  const format = useFormat()
  const up = isUp(heard)
  useKeyboard(call, up && asks)
  const startButton = useFirstFocus(takesFocus)
  const { waiting, ringing } = heard
  const isRinging = heard.call.at === 'ringing'
  const limit = waiting ?? (isRinging ? ringing : null)
  return (
    <section className={classes.controls} aria-label={t.telephone}>
      <p className={classes.status}>
        <span role="status">{statusOf(heard, t, format)}</span>
        {limit && <Countdown key={limit.step} ms={limit.ms} />}
      </p>
      {asks && (
        <p className={classes.pressed} role="status">
          {pressedText(heard, names, t)}
        </p>
      )}
      <div className={classes.buttons}>
        {up ? (
          <>
            <Button
              color="var(--problem-fill)"
              leftSection={<IconPhoneOff size={17} aria-hidden />}
              onClick={call.hangUp}
            >
              {t.hangUp}
            </Button>
            <Button variant="default" leftSection={<IconRefresh size={17} aria-hidden />} onClick={call.start}>
              {t.restart}
            </Button>
          </>
        ) : (
          <Button
            ref={startButton}
            leftSection={<IconPhone size={17} aria-hidden />}
            onClick={call.start}
            disabled={disabled}
          >
            {heard.lines.length > 0 ? t.startAgain : t.start}
          </Button>
        )}
      </div>
      {asks && <Keypad onPress={up ? call.press : undefined} />}
      {isRinging && (
        <div className={classes.buttons}>
          <Button variant="default" onClick={call.agentAnswers}>
            {t.agentAnswers}
          </Button>
          <Button variant="default" onClick={call.agentFails}>
            {t.agentFails}
          </Button>
        </div>
      )}
      {heard.call.at === 'talking' && (
        <div className={classes.buttons}>
          <Button variant="default" onClick={call.agentHangsUp}>
            {t.agentHangsUp}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Focuses 'Start' when the telephone of a dialog appears, unless somebody is choosing a row. */
function useFirstFocus(takesFocus: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus && !document.activeElement?.closest('[data-row-picker]')) button.current?.focus()
  }, [takesFocus])
  return button
}

/** The keyboard acts as the telephone's keypad during the call, except while typing in a field. */
function useKeyboard(call: LiveCall, up: boolean): void {
  useEffect(() => {
    if (!up) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return
      if (isTyped(event.target) || !keys.includes(event.key)) return
      call.press(event.key)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [call, up])
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

function statusOf(heard: HeardCall, { status: t, ...texts }: TextsOf<'previewCall'>, format: Format): string {
  const part = partOf(heard)
  switch (heard.call.at) {
    case 'dialling':
      return t.ready
    case 'asking':
    case 'closing':
      return part ? t.playing(labelOf(part, { status: t, ...texts }, format)) : ''
    case 'waiting':
      return t.waiting
    case 'ringing':
      return t.ringing(format.phone(heard.ringing?.number ?? ''))
    case 'talking':
      return t.talking(format.phone(heard.ringing?.number ?? ''))
    case 'ended':
      return t.ended
  }
}

function pressedText({ lines }: HeardCall, names: KeyLabels, t: TextsOf<'previewCall'>): string {
  const said = lines.findLast(({ said: { kind } }) => kind === 'key' || kind === 'unheardKey')?.said
  if (said?.kind === 'key') return said.valid ? t.accepted(keyWithName(names, said.digit)) : t.wrong(said.digit)
  return said?.kind === 'unheardKey' ? t.unheard(said.digit) : ''
}
