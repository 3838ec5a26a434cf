import { messages } from '@ghanti/contract/messages.ts'
import { promptRoutes, type PromptRow } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { Button, Textarea } from '@mantine/core'
import { Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { failureLines } from '../../components/ui/failures/failure-texts.ts'
import { Sound } from '../../components/ui/sound/Player.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { keysAreOn, signOf } from '../../shell/keys.ts'
import { addressOfPrompt, again } from './actions.ts'
import classes from './Deciding.module.css'

type Deed = 'approve' | 'reject'
type DecidingProps = {
  row: PromptRow
  /** Its place among those that wait, from 1. */
  place: number
  count: number
  onNext: () => void
  onDecided: () => void
}

/** Plays a file that waits, and takes the decision by a letter and Enter; the next one is played at once. */
export default function Deciding({ row, place, count, onNext, onDecided }: DecidingProps) {
  const t = useTexts('prompts')
  const format = useFormat()
  const [asked, setAsked] = useState<Deed | null>(null)
  const onLetter = useEffectEvent((letter: string): boolean => {
    if (asked !== null) return false
    if (letter === 'a') setAsked('approve')
    else if (letter === 'r') setAsked('reject')
    else if (letter === 'n' && count > 1) onNext()
    else return false
    return true
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !keysAreOn()) return
      if (event.target instanceof Element && event.target.closest('select, textarea')) return
      if (onLetter(signOf(event))) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className={classes.deciding}>
      <p className={classes.facts}>
        {[
          t.categories[row.promptCategory as PromptCategory] ?? row.promptCategory,
          row.username,
          t.hearing.place(format.count(place), format.count(count)),
        ].join(' · ')}
      </p>
      <Suspense fallback={<div className={classes.sound} />}>
        <Sound src={addressOfPrompt(row)} autoPlay />
      </Suspense>
      {asked === null ? (
        <div className={classes.buttons}>
          <Letter letter="r">
            <Button variant="default" onClick={() => setAsked('reject')}>
              {t.actions.reject}
            </Button>
          </Letter>
          <Letter letter="n">
            <Button variant="default" disabled={count < 2} onClick={onNext}>
              {t.hearing.next}
            </Button>
          </Letter>
          <Letter letter="a">
            <Button onClick={() => setAsked('approve')}>{t.actions.approve}</Button>
          </Letter>
        </div>
      ) : (
        <Question key={asked} deed={asked} row={row} onCancel={() => setAsked(null)} onDone={onDecided} />
      )}
    </div>
  )
}

function Letter({ letter, children }: { letter: string; children: ReactNode }) {
  return (
    <span className={classes.letter}>
      {children}
      {keysAreOn() && <kbd aria-hidden>{letter}</kbd>}
    </span>
  )
}

const failures = { approve: messages.approvalFailed, reject: messages.rejectFailed }

type QuestionProps = { deed: Deed; row: PromptRow; onCancel: () => void; onDone: () => void }

/** The question that the specification has before each decision, with the focus on YES. */
function Question({ deed, row: { promptId }, onCancel, onDone }: QuestionProps) {
  const t = useTexts('prompts')
  const { dialog } = useTexts('common')
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const yes = async () => {
    setBusy(true)
    setFailure(null)
    try {
      if (deed === 'approve') await call(promptRoutes.approve, { promptId })
      else await call(promptRoutes.reject, { promptId, reason: reason.trim() })
      onDone()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    } finally {
      void again()
    }
  }
  return (
    <>
      <p>{t.questions[deed]}</p>
      {deed === 'reject' && (
        <Textarea
          label={dialog.reason}
          value={reason}
          maxLength={500}
          disabled={isBusy}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {failure !== null && (
        <div role="alert" className={classes.failure}>
          {failureLines(failure, t.labels, failures[deed]).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      <div className={classes.buttons}>
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          {dialog.cancel}
        </Button>
        <Button
          ref={focusOn}
          {...(deed === 'reject' && { color: 'red.9' })}
          loading={isBusy}
          onClick={() => void yes()}
        >
          {dialog.yes}
        </Button>
      </div>
    </>
  )
}

const focusOn = (button: HTMLButtonElement | null) => button?.focus()
