import { matchPath, NavLink, useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { Icon } from '../components/ui/Icon.tsx'
import { useTexts } from '../i18n/language.ts'
import { menuOf } from '../menu.ts'
import { loadScreen } from '../router-screens.ts'
import classes from './Sidebar.module.css'

/** The role's screens. On small screens it slides over the page. */
export function Sidebar({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { menu, shell } = useTexts('common')
  const { role } = useSession()
  const { pathname } = useLocation()
  return (
    <>
      {open && <div className={classes.veil} onClick={onClose} aria-hidden />}
      <nav
        id="sidebar"
        className={classes.sidebar}
        data-open={open || undefined}
        aria-label={shell.mainMenu}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        {menuOf(role).map(({ line, label }) => (
          <NavLink
            key={line.path}
            to={line.path}
            end={line.path === '/'}
            className={classes.link ?? ''}
            data-active={matchPath({ path: line.path, end: line.path === '/' }, pathname) ? true : undefined}
            onClick={onClose}
            onPointerEnter={() => void loadScreen(line).catch(() => undefined)}
          >
            <Icon name={line.icon} />
            {menu[label]}
          </NavLink>
        ))}
      </nav>
    </>
  )
}
