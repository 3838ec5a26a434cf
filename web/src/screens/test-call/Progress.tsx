import { ownValue } from '@ghanti/contract/own-values.ts'
import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { testCallRoutes, type TestCall, type TestCallEvent } from '@ghanti/contract/test-calls.ts'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { jsonQuery, useWrite } from '../../api/query.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { serverSentence, useTexts } from '../../i18n/language.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'
import { Refused } from './Refused.tsx'
import shared from '../../components/ui/OneCall.module.css'
import classes from './TestCall.module.css'

const againMs = 1_000

/** `onOver` runs when its end is on screen. */
type ProgressProps = { testId: number; onOver: () => void; onAgain: () => void }

export function Progress({ testId, onOver, onAgain }: ProgressProps) {
  const t = useTexts('testCall')
  const format = useFormat()
  const test = useQuery({
    ...jsonQuery(testCallRoutes.detail, { testId }),
    refetchInterval: ({ state }) => (state.data?.isOver ? false : againMs),
    gcTime: 0,
  })
  const stop = useWrite(testCallRoutes.stop, [testCallRoutes.detail])
  const isSeen = test.data?.isOver === true || test.isError
  useEffect(() => {
    if (isSeen) onOver()
  }, [isSeen, onOver])
  if (!test.data) return test.error ? <Refused error={test.error} /> : <Loader size="sm" />
  const { isOver, calls, cost, reason, campaignStatus } = test.data
  return (
    <div className={classes.ask}>
      <div aria-live="polite">
        <p className={shared.state}>
          {isOver ? t.over(format.rupees(cost)) : t.states[campaignStatusOf(campaignStatus) ?? 'running']}
        </p>
        {reason !== null && <p className={shared.reason}>{serverSentence(reason)}</p>}
      </div>
      {calls.map((call) => (
        <Called key={call.mobile} call={call} isOver={isOver} />
      ))}
      {stop.error && <Refused error={stop.error} />}
      <div className={shared.buttons}>
        {isOver ? (
          <Button variant="default" onClick={onAgain} data-autofocus>
            {t.again}
          </Button>
        ) : (
          <Button
            variant="default"
            loading={stop.isPending}
            disabled={campaignStatusOf(campaignStatus) === 'cancelling'}
            onClick={() => stop.mutate({ input: { testId } })}
          >
            {t.stop}
          </Button>
        )}
      </div>
    </div>
  )
}

function Called({ call, isOver }: { call: TestCall['calls'][number]; isOver: boolean }) {
  const t = useTexts('testCall')
  const parts = useTexts('previewCall')
  const format = useFormat()
  const names: Readonly<Record<string, string>> = t.dispositions
  const { mobile, disposition, inCall, seconds, cost, events } = call
  const answered = events.some(({ what }) => what.type === 'answered')
  const how = disposition === null ? (isOver ? t.notCalled : t.waits) : (ownValue(names, disposition) ?? disposition)
  return (
    <section className={classes.called}>
      <h3>
        <span data-numeric>{format.phone(mobile)}</span>
        <span className={classes.how}>{inCall ? t.inCall : how}</span>
      </h3>
      {disposition === 'ANSWER' && (
        <p className={shared.reason}>{t.lasted(format.count(seconds), format.rupees(cost))}</p>
      )}
      <ol className={classes.events}>
        {events.map(({ at, what }, index) => (
          <li key={`${index} ${at}`}>
            <time>{format.digits(at.slice(11))}</time>
            <span>{eventText(what, answered, t, parts, format)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function eventText(
  what: TestCallEvent,
  answered: boolean,
  t: TextsOf<'testCall'>,
  parts: TextsOf<'previewCall'>,
  format: Format,
): string {
  switch (what.type) {
    case 'plays':
      return t.events.plays(
        what.parts.map(({ name, says }) => `${partNameText(name, parts.parts, format.digits)} (${says})`).join(', '),
      )
    case 'waits':
      return t.events.waits(format.count(what.seconds))
    case 'key':
      return what.valid
        ? t.events.key(what.label === undefined ? what.key : `${what.key} (${what.label})`)
        : t.events.wrongKey(what.key)
    case 'agentCalled':
      return what.afterSeconds === undefined
        ? t.events.agentCalled(format.phone(what.number))
        : t.events.agentCalledAgain(format.phone(what.number), format.count(what.afterSeconds))
    case 'ended':
      // Somebody who did not answer cannot have hung up.
      return what.byThem && answered ? t.events.endedByThem : t.events.ended
    case 'dialled':
    case 'ringing':
    case 'answered':
    case 'agentTalks':
    case 'agentEnded':
    case 'weHangUp':
      return t.events[what.type]
  }
}
