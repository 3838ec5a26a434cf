import type { ReplyOf } from '@ghanti/contract/route.ts'
import { summaryFormats, summaryMailRoutes, type SummaryAddress } from '@ghanti/contract/summary-mails.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { Segments } from '../../components/form/Segments.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useCalendar } from '../../i18n/chosen-calendar.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './ReportsByMail.module.css'

type SendSummaryProps = { campaignId: number; close: () => void; go: (path: string) => void }
type Settings = ReplyOf<typeof summaryMailRoutes.read>

export default function SendSummary(props: SendSummaryProps) {
  const { data, error, refetch } = useQuery(jsonQuery(summaryMailRoutes.read, {}))
  if (data) return <Ask {...props} settings={data} />
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <div aria-busy />
}

function Ask({ settings, ...props }: SendSummaryProps & { settings: Settings }) {
  const { send: t } = useTexts('summaryMails')
  const confirmed = settings.addresses.filter(({ state }) => state === 'confirmed')
  const { close, go } = props
  if (settings.isSent && confirmed.length > 0) return <Form {...props} settings={settings} confirmed={confirmed} />
  const open = () => {
    close()
    go('/reports-by-mail')
  }
  return (
    <div className={layout.form}>
      <p>{settings.isSent ? t.noAddress : t.noMail}</p>
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button onClick={open}>{t.open}</Button>
      </div>
    </div>
  )
}

type FormProps = SendSummaryProps & { settings: Settings; confirmed: readonly SummaryAddress[] }

function Form({ campaignId, close, settings, confirmed }: FormProps) {
  const { send: t, choice, fields } = useTexts('summaryMails')
  const reading = { language: useLanguage(), calendar: useCalendar() }
  const [chosen, setChosen] = useState(confirmed.map(({ addressId }) => addressId))
  const [formats, setFormats] = useState(settings.formats)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const submit = async () => {
    setBusy(true)
    setFailure(null)
    const language = settings.language ?? reading.language
    const calendar = settings.calendar ?? reading.calendar
    try {
      await call(summaryMailRoutes.send, { campaignId, addressIds: chosen, formats, language, calendar })
      void refresh(summaryMailRoutes.read)
      close()
      showDone(t.sent)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  const toggle = (id: number) =>
    setChosen((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id]))
  return (
    <div className={layout.form}>
      <fieldset className={classes.to}>
        <legend>{t.to}</legend>
        {confirmed.map(({ addressId, address }) => (
          <label key={addressId}>
            <input type="checkbox" checked={chosen.includes(addressId)} onChange={() => toggle(addressId)} />
            {address}
          </label>
        ))}
      </fieldset>
      <Segments
        label={choice.formats}
        value={formats}
        onChange={setFormats}
        data={summaryFormats.map((value) => ({ value, label: choice.formatsOf[value] }))}
      />
      {failure !== null && <Failed error={failure} labels={fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button onClick={() => void submit()} loading={busy} disabled={chosen.length === 0}>
          {t.submit}
        </Button>
      </div>
    </div>
  )
}
