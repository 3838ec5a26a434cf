import { Link } from 'react-router'
import { useUnreadNotices } from '../api/notices.ts'
import { useDecisions } from '../api/waiting.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import classes from './Bell.module.css'

const shownMax = 99

/** Unread notices, and for super admins also what waits for a decision; the screen of notices leads to both. */
export function Bell() {
  const { shell } = useTexts('common')
  const format = useFormat()
  const unread = useUnreadNotices()
  const waiting = useDecisions().reduce((sum, { count }) => sum + count, 0)
  const words = (count: number) => (count > shownMax ? `${format.count(shownMax)}+` : format.count(count))
  const parts = [
    unread === 0 ? shell.notices : shell.unreadNotices(words(unread)),
    ...(waiting === 0 ? [] : [shell.decisions(words(waiting))]),
  ].join(', ')
  const label = unread > 0 && waiting > 0 ? `${parts}: ${words(unread + waiting)}` : parts // with the number that is shown
  return (
    <Link to="/notices" className={classes.bell} aria-label={label} title={label}>
      <Icon name="bell" size={20} />
      {unread + waiting > 0 && (
        <span className={classes.count} aria-hidden>
          {words(unread + waiting)}
        </span>
      )}
    </Link>
  )
}
