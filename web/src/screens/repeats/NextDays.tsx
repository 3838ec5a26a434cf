import { repeatRoutes } from '@ghanti/contract/repeats.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { call, type SentOf } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import layout from '../../components/form/Form.module.css'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { DateOrders } from '../contacts/date-orders.ts'

type Body = SentOf<typeof repeatRoutes.next>

/** The days on which it would compose, before it is made. `body`: null while the form is incomplete. `counted`: says which is the last. */
export function NextDays({ body, counted }: { body: Body | null; counted: boolean }) {
  const { form: t } = useTexts('repeats')
  const format = useFormat()
  return (
    <section aria-labelledby="next-days" aria-live="polite" className={layout.fields}>
      <h2 id="next-days" className={layout.heading}>
        {t.next}
      </h2>
      {body === null ? <p className={layout.hint}>{t.nextEmpty}</p> : <Coming body={body} />}
      {body !== null && counted && <p>{t.last(format.day(body.untilDay))}</p>}
      <p className={layout.hint}>{t.composed}</p>
    </section>
  )
}

function isOrderAsked(error: Error): boolean {
  return error instanceof ApiError && error.errors.some(({ code }) => code === 'which_date_order')
}

function Coming({ body }: { body: Body }) {
  const { fields, form: t } = useTexts('repeats')
  const format = useFormat()
  const { data, error } = useQuery({
    queryKey: [repeatRoutes.next.path, body] as const,
    queryFn: ({ signal }) => call(repeatRoutes.next, body, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  if (error && body.column !== undefined && isOrderAsked(error))
    return (
      <Suspense fallback={<p aria-busy />}>
        <DateOrders baseId={Number(body.baseId)} orders={{ [body.column]: 'ask' }} />
      </Suspense>
    )
  if (error) return <Failed error={error} labels={fields} />
  if (!data) return <p aria-busy />
  const unreadable = data.unreadable ?? 0
  return (
    <>
      {data.days.length === 0 && <p>{t.nextNone}</p>}
      <ul>
        {data.days.map(({ day, rows }) => (
          <li key={day}>
            {format.day(day)}
            {rows !== null && `: ${t.rows(format.count(rows))}`}
          </li>
        ))}
      </ul>
      {unreadable > 0 && <p className={layout.hint}>{t.unreadable(format.count(unreadable))}</p>}
    </>
  )
}
