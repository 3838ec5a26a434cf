import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { Fragment } from 'react'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../cells.module.css'
import { useClock } from '../clock.ts'
import { pendingParts, type PendingPart } from './pending.ts'

const minuteMs = 60_000

/** 'never tried 0, in call 24, retry 2 of 3: 6,976, next 14:32', breaking only between parts; null when nobody is pending. */
export function PendingParts({ row }: { row: CampaignRow }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  const parts = pendingParts(row, nepalTimeOf(new Date(useClock(minuteMs))))
  if (parts.length === 0) return null
  return (
    <span className={classes.small}>
      {parts.map((part, index) => (
        <Fragment key={part.kind}>
          {index > 0 && ' '}
          <span className={classes.part}>
            {partText(part, t.pending, format)}
            {index < parts.length - 1 && ','}
          </span>
        </Fragment>
      ))}
    </span>
  )
}

function partText(part: PendingPart, t: TextsOf<'campaignDetail'>['pending'], format: Format): string {
  switch (part.kind) {
    case 'fresh':
    case 'inCall':
    case 'retryLater':
      return t[part.kind](format.count(part.count))
    case 'retry':
      return t.retry(format.count(part.retry), format.count(part.retries), format.count(part.count))
    case 'stopped':
      return t.stopped
    case 'next':
      return part.at === null ? t.nextNow : t.next(format.moment(part.at))
  }
}
