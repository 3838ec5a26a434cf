import { platformRoutes } from '@ghanti/contract/platform.ts'
import { useQuery } from '@tanstack/react-query'
import type { SentOf } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './StopDialling.module.css'

/** How much a stop would affect, counted by the server. Stopping does not wait for it. */
export function StopEffect({ target }: { target: SentOf<typeof platformRoutes.dialEffect> }) {
  const { effect: t } = useTexts('platform')
  const format = useFormat()
  const { data, error } = useQuery({ ...jsonQuery(platformRoutes.dialEffect, target), staleTime: 0 })
  const messages = data?.messages
  const stopsCalls = target.what !== 'messages'
  return (
    <div className={classes.effect} aria-live="polite" aria-busy={!data && !error}>
      {!data && <p>{error ? t.failed(failureTexts(error).message) : t.counting}</p>}
      {data && stopsCalls && (
        <p>{t.stops(format.count(data.running), format.count(data.toBegin), format.count(data.calls))}</p>
      )}
      {data && data.elsewhere > 0 && <p>{t.elsewhere(format.count(data.elsewhere))}</p>}
      {target.kind === 'gateway' && <p>{t.otherGateways}</p>}
      {messages && target.kind !== 'gateway' && (
        <p>
          {t.stopsMessages(
            format.count(messages.running),
            format.count(messages.toBegin),
            format.count(messages.waiting),
          )}
        </p>
      )}
      {messages && messages.underWay > 0 && <p>{t.messagesUnderWay(format.count(messages.underWay))}</p>}
      {data && data.underWay > 0 && <p>{t.underWay(format.count(data.underWay))}</p>}
    </div>
  )
}
