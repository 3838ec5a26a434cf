import { Link, NavLink } from 'react-router'
import { useSession } from '../api/session.ts'
import { Icon, type IconName } from '../components/ui/icons/Icon.tsx'
import { useTexts } from '../i18n/language.ts'
import classes from './BottomBar.module.css'

/** On phones, below the page: where most ways lead, the campaign or user that is made, and the whole menu. */
export default function BottomBar({ menuOpen, onToggleMenu }: { menuOpen: boolean; onToggleMenu: () => void }) {
  const { shell, menu, menuGroups, table } = useTexts('common')
  const isUser = useSession().role === 'user'
  const made = isUser ? shell.newCampaign : menu.createUser
  return (
    <nav className={classes.bar} aria-label={shell.shortcuts}>
      <Place to="/" icon="dashboard" name={shell.home} />
      <Place to="/voice-campaign-summary" icon="campaigns" name={menuGroups.campaigns} />
      <Link to={isUser ? '/add-voice-campaign' : '/create-user'} className={classes.place} aria-label={made}>
        <span className={classes.plus}>
          <Icon name={isUser ? 'add' : 'addUser'} size={22} />
        </span>
      </Link>
      <Place to="/sms-campaign-summary" icon="messages" name={menuGroups.messages} />
      <button
        type="button"
        className={classes.place}
        aria-expanded={menuOpen}
        aria-controls="sidebar"
        onClick={onToggleMenu}
      >
        <Icon name="menu" size={20} />
        {table.more}
      </button>
    </nav>
  )
}

function Place({ to, icon, name }: { to: string; icon: IconName; name: string }) {
  return (
    <NavLink to={to} end={to === '/'} className={classes.place ?? ''}>
      <Icon name={icon} size={20} />
      {name}
    </NavLink>
  )
}
