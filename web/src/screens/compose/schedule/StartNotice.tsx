import { serverText, useTexts } from '../../../i18n/language.ts'
import { useFormat } from '../../../i18n/format.ts'
import classes from '../Compose.module.css'
import { useNow } from './use-now.ts'
import type { Preview } from '../queries.ts'
import { whenText } from './schedule.ts'

type StartNoticeProps = { estimate: NonNullable<Preview['estimate']>; scheduled: boolean }

/** Why the first call starts later than wanted, and when; and whether the time suffices for all. Empty when all is well. */
export function StartNotice({ estimate, scheduled }: StartNoticeProps) {
  const { start: t } = useTexts('compose')
  const format = useFormat()
  const now = useNow()
  const { start, seconds, doneAbout, dialUntil } = estimate
  const at = start.at && format.moment(whenText(start.at, now))
  const late = start.at !== null && seconds !== null && doneAbout === null
  return (
    <>
      {start.reasons.length > 0 && (
        <div className={classes.warning}>
          {at === null ? t.waits : (scheduled ? t.laterThan : t.later)(at)}
          {start.reasons.map(({ text }) => (
            <span key={text} className={classes.because}>
              {serverText(text)}
            </span>
          ))}
        </div>
      )}
      {late && <p className={classes.warning}>{t.notAll(format.time(dialUntil))}</p>}
    </>
  )
}
