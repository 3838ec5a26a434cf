import { useEffect, useId, useRef, type FocusEvent } from 'react'
import { Link, matchPath, NavLink, useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { useWaiting, waitingView } from '../api/waiting.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import type { MenuGroup, MenuLabel } from '../i18n/en/common.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import { menuGroupsOf, type MenuEntry } from '../menu.ts'
import { loadScreen } from '../router-screens.ts'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import classes from './Sidebar.module.css'

/** The role's screens. On small screens a drawer over the page, which takes the focus and closes when it leaves. */
export function Sidebar({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { shell } = useTexts('common')
  const { role, username } = useSession()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open) nav.current?.querySelector('a')?.focus()
  }, [open])
  // After a reload the entry of the screen is in view. Newer browsers return a promise, which is no cleanup of an effect.
  useEffect(() => {
    void nav.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const leave = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    const isToggle = relatedTarget instanceof Element && relatedTarget.matches('[aria-controls=sidebar]')
    if (relatedTarget && !isToggle && !currentTarget.contains(relatedTarget)) onClose()
  }
  return (
    <>
      {open && <div className={classes.veil} onClick={onClose} aria-hidden />}
      <nav
        id="sidebar"
        className={classes.sidebar}
        data-open={open || undefined}
        aria-label={shell.mainMenu}
        ref={nav}
        onBlur={leave}
      >
        {menuGroupsOf(role).map(({ group, entries }) => (
          <Group key={group} group={group} entries={entries} onGo={onClose} />
        ))}
        {/* On phones the header has no room for them. */}
        <div className={classes.switches}>
          <Link to="/user-profile" className={classes.profile} aria-label={shell.profileOf(username)} onClick={onClose}>
            {username}
          </Link>
          <LanguageSwitch />
          <SchemeSwitch />
        </div>
      </nav>
    </>
  )
}

type GroupProps = { group: MenuGroup | null; entries: readonly MenuEntry[]; onGo: () => void }

function Group({ group, entries, onGo }: GroupProps) {
  const { menuGroups } = useTexts('common')
  const id = useId()
  return (
    <div className={classes.group} {...(group && { role: 'group', 'aria-labelledby': id })}>
      {group && (
        <p id={id} className={classes.heading}>
          {menuGroups[group]}
        </p>
      )}
      {entries.map((entry) => (
        <Entry key={entry.line.path} {...entry} onGo={onGo} />
      ))}
    </div>
  )
}

const countedMax = 99

function Entry({ line, label, onGo }: MenuEntry & { onGo: () => void }) {
  const { menu } = useTexts('common')
  const { pathname } = useLocation()
  const view = waitingView[label]
  const load = () => void loadScreen(line).catch(() => undefined)
  return (
    <div className={classes.entry}>
      <NavLink
        to={line.path}
        end={line.path === '/'}
        className={classes.link ?? ''}
        data-active={matchPath({ path: line.path, end: line.path === '/' }, pathname) ? true : undefined}
        onClick={onGo}
        onPointerEnter={load}
        onFocus={load}
      >
        <Icon name={line.icon} />
        <span className={classes.label}>{menu[label]}</span>
        {view === undefined && <Waiting label={label} />}
      </NavLink>
      {view !== undefined && <Waiting label={label} to={line.path + view} onGo={onGo} />}
    </div>
  )
}

type WaitingProps = { label: MenuLabel; to?: string; onGo?: () => void }

/** How many wait there; a separate link where they are part of a list. */
function Waiting({ label, to, onGo }: WaitingProps) {
  const { menu, shell } = useTexts('common')
  const format = useFormat()
  const waiting = useWaiting(label)
  if (waiting === 0) return null
  const count = waiting > countedMax ? `${format.count(countedMax)}+` : format.count(waiting)
  const words = (
    <>
      {count} <span className={classes.hidden}>{shell.waiting}</span>
    </>
  )
  if (to === undefined) return <span className={classes.count}>{words}</span>
  return (
    <Link to={to} className={`${classes.count} ${classes.countLink}`} onClick={onGo}>
      {words} <span className={classes.hidden}>{menu[label]}</span>
    </Link>
  )
}
