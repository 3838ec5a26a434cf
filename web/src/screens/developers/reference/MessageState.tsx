import { sendRoutes, type SendState } from '@ghanti/contract/sends.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../../api/query.ts'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence } from '../../../i18n/language.ts'
import { useDeveloperTexts } from '../texts.ts'
import classes from './Reference.module.css'

const kinds: Record<SendState, StatusKind> = {
  waiting: 'neutral',
  submitted: 'running',
  delivered: 'done',
  failed: 'problem',
  expired: 'held',
  unknown: 'held',
  dnd: 'held',
}
const goesOn = new Set<SendState | undefined>(['waiting', 'submitted', undefined])
const againMs = 1500
/** Some receipts come after a day; nobody looks that long. */
const looksMax = 200

/** What becomes of a message, as it changes. */
export function MessageState({ messageId }: { messageId: string }) {
  const t = useDeveloperTexts().reference.tryIt
  const format = useFormat()
  const { data } = useQuery({
    ...jsonQuery(sendRoutes.detail, { messageId }),
    refetchInterval: ({ state }) =>
      goesOn.has(state.data?.state) && state.dataUpdateCount < looksMax ? againMs : false,
  })
  if (!data) return null
  return (
    <p className={classes.state}>
      <Status is={kinds[data.state]} badge>
        {t.states[data.state]}
      </Status>{' '}
      {data.endedAt !== null && <NepalTime wire={data.endedAt} seconds />} {t.costs(format.rupees(data.cost))}
      {data.reason !== null && ` ${serverSentence(data.reason)}`}
    </p>
  )
}
