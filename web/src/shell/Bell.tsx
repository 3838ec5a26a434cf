import { IconBell } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useUnreadNotices } from '../api/notices.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import classes from './Bell.module.css'

const shownMax = 99

export function Bell() {
  const { shell } = useTexts('common')
  const format = useFormat()
  const unread = useUnreadNotices()
  const count = unread > shownMax ? `${format.count(shownMax)}+` : format.count(unread)
  const label = unread === 0 ? shell.notices : shell.unreadNotices(count)
  return (
    <Link to="/notices" className={classes.bell} aria-label={label} title={label}>
      <IconBell size={20} stroke={1.6} aria-hidden />
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {count}
        </span>
      )}
    </Link>
  )
}
