import { callsOfFrozen, freezingRoutes, type CallsOfFrozen } from '@ghanti/contract/freezing.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { Segments } from '../../components/form/Segments.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import layout from '../../components/form/Form.module.css'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { refreshFrozen } from './refresh.ts'
import classes from './Freezing.module.css'

type Reach = ReplyOf<typeof freezingRoutes.reach>
const figures = ['accounts', 'sessions', 'campaigns', 'calls', 'messages'] as const satisfies readonly (keyof Reach)[]

const grave = { color: 'red.9' } as const

/** What stops, why, what becomes of the calls, and the name of the account typed by hand, because it stops a whole tree. */
export function FreezeForm({ userId, username, close }: { userId: number; username: string; close: () => void }) {
  const { freezing: t } = useTexts('users')
  const [calls, setCalls] = useState<CallsOfFrozen>('end')
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { reason: '', typed: '' },
    validate: {
      reason: (reason) => (reason.trim() === '' ? t.reasonMissing : null),
      typed: (typed) => (typed.trim() === username ? null : t.notTyped(username)),
    },
  })
  const save = form.onSubmit(async ({ reason }) => {
    setFailure(null)
    try {
      await call(freezingRoutes.freeze, { userId, reason: reason.trim(), calls }).finally(refreshFrozen)
      close()
      showDone(t.done(username))
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <p>{t.meaning}</p>
      <Figures userId={userId} />
      <div className={classes.calls}>
        <span>{t.calls.label}</span>
        <Segments
          label={t.calls.label}
          value={calls}
          onChange={setCalls}
          data={callsOfFrozen.map((value) => ({ value, label: t.calls[value] }))}
        />
        <small>{calls === 'end' ? t.calls.endHint : t.calls.finishHint}</small>
      </div>
      <TextAreaField
        form={form}
        name="reason"
        label={t.reason}
        description={t.reasonHint}
        rows={2}
        maxLength={500}
        required
      />
      <TextField form={form} name="typed" label={t.typed(username)} autoComplete="off" required />
      {failure !== null && <Failure error={failure} title={t.failed} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" {...grave} loading={form.submitting}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}

function Figures({ userId }: { userId: number }) {
  const { freezing: t } = useTexts('users')
  const format = useFormat()
  const { data, error, refetch } = useQuery(jsonQuery(freezingRoutes.reach, { userId }))
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <dl className={classes.figures} aria-busy={!data}>
      {figures.map((figure) => (
        <div key={figure}>
          <dt>{t.reach[figure]}</dt>
          <dd data-numeric>{data ? format.count(data[figure]) : '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
