import { ActionIcon, Button } from '@mantine/core'
import { Link } from 'react-router'
import { useBranding } from '../api/branding.ts'
import { logout, useSession } from '../api/session.ts'
import { showFailure } from '../components/ui/dialogs/dialogs.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { Logo } from '../components/ui/icons/Logo.tsx'
import { useOwnBalance } from '../components/ui/own-balance.ts'
import { useTexts } from '../i18n/language.ts'
import { Bell } from './Bell.tsx'
import { openGoTo } from './go-to.ts'
import classes from './Header.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'

type HeaderProps = { menuOpen: boolean; onToggleMenu: () => void; isRail: boolean; onToggleRail: () => void }

export function Header({ menuOpen, onToggleMenu, isRail, onToggleRail }: HeaderProps) {
  const { shell } = useTexts('common')
  const { username } = useSession()
  const { company, logoUrl } = useBranding()
  return (
    <header className={classes.header}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={38}
        className={classes.toggle}
        aria-label={menuOpen ? shell.closeMenu : shell.openMenu}
        aria-expanded={menuOpen}
        aria-controls="sidebar"
        onClick={onToggleMenu}
      >
        <Icon name={menuOpen ? 'close' : 'menu'} size={20} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={38}
        className={classes.rail ?? ''}
        aria-label={shell.mainMenu}
        aria-expanded={!isRail}
        onClick={onToggleRail}
      >
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Link to="/" className={classes.brand} aria-label={company}>
        {logoUrl ? <img src={logoUrl} alt="" className={classes.logo} /> : <Logo />}
        <span className={classes.company}>{company}</span>
      </Link>
      <div className={classes.right}>
        <GoToButton />
        <Balance />
        <Bell />
        <div className={classes.switches}>
          <LanguageSwitch />
          <SchemeSwitch />
        </div>
        <Link to="/user-profile" className={classes.user} aria-label={shell.profileOf(username)}>
          {username}
        </Link>
        <Button
          variant="default"
          className={classes.logout ?? ''}
          aria-label={shell.logout}
          title={shell.logout}
          onClick={() => void signOut()}
        >
          <Icon name="logout" />
          <span className={classes.logoutText}>{shell.logout}</span>
        </Button>
      </div>
    </header>
  )

  async function signOut() {
    try {
      await logout()
    } catch (error) {
      showFailure(error, {}, shell.logoutFailed)
    }
  }
}

/** Opens the palette; on narrow screens only an icon. */
function GoToButton() {
  const { shell } = useTexts('common')
  return (
    <button type="button" className={classes.goTo} aria-label={`${shell.goTo} Ctrl K`} onClick={openGoTo}>
      <Icon name="search" />
      <span className={classes.goToText}>{shell.goTo}</span>
      <kbd className={classes.goToText}>Ctrl K</kbd>
    </button>
  )
}

/** What can be spent, and the reserved amount. Super admins have none. */
function Balance() {
  const { shell } = useTexts('common')
  const balance = useOwnBalance()
  if (!balance) return null
  return (
    <output className={classes.balance} aria-live="off">
      <span className={classes.wide}>{shell.balance(balance.free)}</span>
      <span className={classes.short}>{shell.shortBalance(balance.free)}</span>
      {balance.reserved !== null && <span className={classes.reserved}>{balance.reserved}</span>}
    </output>
  )
}
