import { Button, Modal, Textarea } from '@mantine/core'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWaitFor } from '../../../api/ended-session.ts'
import { useOtherAccount } from '../../../api/page-owner.ts'
import { serverText, useLanguage, useTexts } from '../../../i18n/language.ts'
import classes from './Dialog.module.css'
import { closeDialog, type DialogContent } from './dialogs.ts'
import { failureLines } from '../failures/failure-texts.ts'

export default function Dialog({ id, content }: { id: number; content: DialogContent }) {
  const { dialog } = useTexts('common')
  const language = useLanguage()
  const [busy, setBusy] = useState(false)
  const isOfOther = useOtherAccount() !== null
  const isCovered = useWaitFor() !== null || isOfOther
  const close = () => {
    if (busy) return
    closeDialog(id)
    if (content.kind === 'success') content.onClose?.()
  }
  const named = content.title ?? (content.kind === 'success' ? dialog.success : dialog.error)
  const title = content.kind === 'confirm' && content.verb ? asked(content.verb, named, language) : named
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      centered
      lockScroll={false}
      closeOnEscape={!isCovered}
      size={content.kind === 'custom' ? (content.size ?? 'md') : 'md'}
      radius="md"
      closeButtonProps={{ 'aria-label': dialog.close, disabled: busy }}
      classNames={{ title: classes.title }}
      // A fade would repaint the page beneath it at each step.
      transitionProps={{ duration: 0 }}
    >
      {content.kind === 'confirm' && (
        <Confirm content={content} close={close} busy={busy} setBusy={setBusy} done={() => closeDialog(id)} />
      )}
      {content.kind === 'success' && <Said text={serverText(content.text)} close={close} />}
      {content.kind === 'failure' && (
        <Failed error={content.error} labels={content.labels ?? {}} failure={content.failure} close={close} />
      )}
      {content.kind === 'custom' && content.render(close)}
    </Modal>
  )
}

/** 'Disable user2?'; what names its object itself is set off: 'Remove CLI: 01-597 0001?'. */
function asked(verb: string, object: string, language: string): string {
  if (language === 'ne') return object === '' ? verb : `${object}: ${verb}`
  return object === '' ? `${verb}?` : `${verb}${verb.includes(' ') ? ':' : ''} ${object}?`
}

type ConfirmProps = {
  content: Extract<DialogContent, { kind: 'confirm' }>
  close: () => void
  done: () => void
  busy: boolean
  setBusy: (busy: boolean) => void
}

function Confirm({ content, close, done, busy, setBusy }: ConfirmProps) {
  const { dialog } = useTexts('common')
  const [reason, setReason] = useState('')
  const [reasonMissing, setReasonMissing] = useState(false)
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const [failure, setFailure] = useState<unknown>(null)
  // The object has changed or is in use: repeating the action would be refused again.
  const over = failure instanceof ApiError && failure.status === 409
  const yes = async () => {
    if (content.reason?.required && !reason.trim()) {
      setReasonMissing(true)
      reasonField.current?.focus()
      return
    }
    setBusy(true)
    setFailure(null)
    try {
      await content.onYes(reason.trim())
      done()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p className={classes.text}>{content.question}</p>
      {content.details}
      {content.reason && (
        <Textarea
          ref={reasonField}
          label={dialog.reason}
          withAsterisk={content.reason.required}
          aria-required={content.reason.required}
          value={reason}
          maxLength={500}
          styles={{ input: { minHeight: '4.1em' } }}
          mt="sm"
          disabled={busy}
          error={reasonMissing && !reason.trim() ? dialog.reasonRequired : undefined}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {failure !== null && <FailureText due={content.failure} error={failure} labels={content.labels ?? {}} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} disabled={busy} data-autofocus={!content.yesFirst || undefined}>
          {over ? dialog.close : dialog.cancel}
        </Button>
        {over && content.wayOut && (
          <Button
            onClick={() => {
              done()
              content.wayOut?.go()
            }}
          >
            {content.wayOut.label}
          </Button>
        )}
        {!over && (
          <Button
            {...(content.danger ? { color: 'red.9' } : {})}
            onClick={() => void yes()}
            loading={busy}
            data-autofocus={content.yesFirst || undefined}
          >
            {content.verb ?? dialog.yes}
          </Button>
        )}
      </div>
    </>
  )
}

function Said({ text, close }: { text: string; close: () => void }) {
  const { dialog } = useTexts('common')
  return (
    <>
      <p className={classes.text}>{text}</p>
      <div className={classes.buttons}>
        <Button onClick={close} data-autofocus>
          {dialog.ok}
        </Button>
      </div>
    </>
  )
}

type FailedProps = {
  error: unknown
  labels: Readonly<Record<string, string>>
  failure: string | true | undefined
  close: () => void
}

function Failed({ error, labels, failure, close }: FailedProps) {
  const { dialog } = useTexts('common')
  return (
    <>
      <FailureText due={failure} error={error} labels={labels} />
      <div className={classes.buttons}>
        <Button onClick={close} data-autofocus>
          {dialog.ok}
        </Button>
      </div>
    </>
  )
}

function FailureText({
  due,
  error,
  labels,
}: {
  due: string | true | undefined
  error: unknown
  labels: Readonly<Record<string, string>>
}) {
  return (
    <div role="alert" className={classes.failure}>
      {failureLines(error, labels, due).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}
