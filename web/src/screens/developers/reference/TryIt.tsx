import { bodyOf } from '@ghanti/contract/examples/example.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { sendRoutes } from '@ghanti/contract/sends.ts'
import { filledText, partsOfText, segmentsOf } from '@ghanti/contract/sms-text.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useBranding } from '../../../api/branding.ts'
import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { jsonQuery } from '../../../api/query.ts'
import { confirm, showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useDeveloperTexts } from '../texts.ts'
import { Code } from './Code.tsx'
import { MessageState } from './MessageState.tsx'
import type { Own } from './own.ts'
import classes from './Reference.module.css'

/** Its receipt comes, which the simulator does not send for every number. */
const answeredInDemo = '9841000001'

type Answered = { status: number; body: unknown; messageId: string | null }

/** Sends the example's message with the reader's session. Outside the demo it is sent to a telephone, so it asks first. */
export function TryIt({ own }: { own: Own }) {
  const t = useDeveloperTexts().reference.tryIt
  const { demo } = useBranding()
  const { of, from, text } = own
  const key = text?.textId ?? 0
  return (
    <div className={classes.tryIt} role="group" aria-label={t.title}>
      <div className={classes.about}>
        <h3>{t.title}</h3>
        <p>{demo ? t.demo : t.real}</p>
      </div>
      {from ? <Form key={key} own={own} isDemo={demo} /> : <p className={classes.note}>{t.needs(of.from)}</p>}
    </div>
  )
}

function Form({ own, isDemo }: { own: Own; isDemo: boolean }) {
  const t = useDeveloperTexts().reference.tryIt
  const [to, setTo] = useState(isDemo ? answeredInDemo : own.of.to)
  const [values, setValues] = useState(own.of.template?.values ?? {})
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [busy, setBusy] = useState(false)
  const { template, ...rest } = own.of
  // A reference of one's own tries; the example's would find them all.
  const body = bodyOf({ ...rest, to, template: template && { ...template, values }, reference: 'try-it' })
  const ask = useConfirmation({ to, smsText: own.text?.smsText ?? own.of.text, values })
  const send = async () => {
    setBusy(true)
    try {
      const reply = await call(sendRoutes.create, body)
      own.setMessageId(reply.messageId)
      setAnswered({ status: 200, body: reply, messageId: reply.messageId })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) return showFailure(error)
      const { status, message, errors } = error
      setAnswered({ status, body: { message, errors }, messageId: null })
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDemo) void send()
    else ask(send)
  }
  return (
    <>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={t.to}
          value={to}
          inputMode="tel"
          maxLength={20}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {Object.entries(values).map(([column, value]) => (
          <TextInput
            key={column}
            label={column}
            translate="no"
            value={value}
            maxLength={500}
            onChange={(event) => setValues({ ...values, [column]: event.currentTarget.value })}
          />
        ))}
        <Button type="submit" loading={busy}>
          {t.send}
        </Button>
      </form>
      <Code label={t.request} text={`POST /api/v1/messages\n${JSON.stringify(body, null, 2)}`} copies={false} />
      {answered && (
        <div role="status" className={classes.answer}>
          <Code
            label={t.answer}
            text={`HTTP ${answered.status}\n${JSON.stringify(answered.body, null, 2)}`}
            copies={false}
          />
          {answered.messageId !== null && <MessageState key={answered.messageId} messageId={answered.messageId} />}
        </div>
      )}
    </>
  )
}

type Asked = { to: string; smsText: string; values: Readonly<Record<string, string>> }

/** Asks before a telephone gets something, and says what it costs. */
function useConfirmation({ to, smsText, values }: Asked) {
  const t = useDeveloperTexts().reference.tryIt
  const format = useFormat()
  const price = useQuery(jsonQuery(planRoutes.own, {})).data?.plan?.smsPrice ?? null
  const lower = new Map(
    [...Object.entries(values), ['mobile', to] as const].map(([name, v]) => [name.toLowerCase(), v]),
  )
  const parts = segmentsOf(filledText(partsOfText(smsText), lower))
  return (send: () => Promise<void>) =>
    confirm({
      title: t.message,
      verb: t.send,
      question: t.question(format.phone(to), price === null ? null : format.rupees((price * parts) / 100)),
      failure: t.failed,
      onYes: send,
    })
}
