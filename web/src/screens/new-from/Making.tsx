import { baseFromRoutes } from '@ghanti/contract/base-from.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { jsonQuery, refresh } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

const againMs = 700

/** What the new campaign does with the contact file. */
export type NewBy = 'calls' | 'messages'
const composes = { calls: '/add-voice-campaign', messages: '/add-sms-campaign' }

type MakingProps = {
  makingId: number
  by?: NewBy
  onReady: (path: string) => void
  onBack: () => void
  close: () => void
}

/** The contact file's progress; opens compose once it is ready. */
export function Making({ makingId, by = 'calls', onReady, onBack, close }: MakingProps) {
  const t = useTexts('newFrom')
  const format = useFormat()
  const { data, error } = useQuery({
    ...jsonQuery(baseFromRoutes.progress, { makingId }),
    refetchInterval: ({ state }) => (state.data?.baseId || state.data?.reason ? false : againMs),
  })
  const gone = useRef(false)
  const baseId = data?.baseId ?? null
  useEffect(() => {
    if (baseId === null || gone.current) return
    gone.current = true
    void refresh(contactRoutes.bases)
    close()
    onReady(`${composes[by]}?base=${baseId}`)
  }, [baseId, by, close, onReady])
  if (data?.makingStatus === 'failed')
    return (
      <div className={layout.form}>
        <p role="alert">{fieldText(t.file, data.reason ?? '')}</p>
        <div className={layout.buttons}>
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button onClick={onBack}>{t.back}</Button>
        </div>
      </div>
    )
  return (
    <div className={layout.form} aria-busy>
      <p role="status">{data && data.rows > 0 ? t.making(format.count(data.rows)) : t.waiting}</p>
      <p className={layout.hint}>{t.stays}</p>
      {error && <Failed error={error} labels={t.fields} />}
    </div>
  )
}
