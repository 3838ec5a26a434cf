import { useEffect, useId, useRef, useState, type FocusEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { useWaiting, waitingView } from '../api/waiting.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import type { MenuGroup, MenuLabel } from '../i18n/en/common.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import { belongsTo, menuGroupsOf, menuOf, type MenuEntry } from '../menu.ts'
import type { ScreenLine } from '../paths.ts'
import { loadScreen } from '../router-screens.ts'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import classes from './Sidebar.module.css'

type SidebarProps = {
  here: ScreenLine | undefined
  open: boolean
  isRail: boolean
  onClose: () => void
  onExpand: () => void
}

/**
 * The role's screens, in groups that fold; as a rail, only icons. On small screens a drawer over the page, which takes the focus and closes when
 * it leaves.
 */
export function Sidebar({ here, open, isRail, onClose, onExpand }: SidebarProps) {
  const { shell } = useTexts('common')
  const { role, username } = useSession()
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  const folds = useFolds(here?.group)
  useEffect(() => {
    if (open) nav.current?.querySelector('a')?.focus()
  }, [open])
  // Newer browsers return a promise, which is no cleanup of an effect.
  useEffect(() => {
    if (pathname !== '/') void nav.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  const leave = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    const isToggle = relatedTarget instanceof Element && relatedTarget.matches('[aria-controls=sidebar]')
    if (relatedTarget && !isToggle && !currentTarget.contains(relatedTarget)) onClose()
  }
  const [home] = menuOf(role)
  return (
    <>
      {open && <div className={classes.veil} onClick={onClose} aria-hidden />}
      <nav
        id="sidebar"
        className={classes.sidebar}
        data-open={open || undefined}
        data-rail={isRail || undefined}
        aria-label={shell.mainMenu}
        ref={nav}
        onBlur={leave}
      >
        {role === 'user' && (
          <Link to="/add-voice-campaign" className={classes.new} title={shell.newCampaign} onClick={onClose}>
            <Icon name="add" />
            <span className={classes.label}>{shell.newCampaign}</span>
          </Link>
        )}
        <div>
          {home && <Entry {...home} isHere={home.line === here} onGo={onClose} />}
          {menuGroupsOf(role).map((section) => (
            <Group
              key={section.group}
              {...section}
              isRail={isRail}
              here={here}
              isOpen={!isRail && folds.isOpen(section.group)}
              onGo={onClose}
              onToggle={() => {
                if (isRail) onExpand()
                if (!isRail || !folds.isOpen(section.group)) folds.toggle(section.group)
              }}
            />
          ))}
        </div>
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

/** The group of the screen in view is open. What is opened or folded beside it stays so until the next group. */
function useFolds(here: MenuGroup | undefined) {
  const [kept, keep] = useState<{ at: MenuGroup | undefined; toggled: readonly MenuGroup[] }>({ at: here, toggled: [] })
  const toggled = kept.at === here ? kept.toggled : []
  return {
    isOpen: (group: MenuGroup) => (group === here) !== toggled.includes(group),
    toggle: (group: MenuGroup) =>
      keep({
        at: here,
        toggled: toggled.includes(group) ? toggled.filter((one) => one !== group) : [...toggled, group],
      }),
  }
}

type GroupProps = ReturnType<typeof menuGroupsOf>[number] & {
  isRail: boolean
  here: ScreenLine | undefined
  isOpen: boolean
  onGo: () => void
  onToggle: () => void
}

function Group({ group, icon, entries, isRail, here, isOpen, onGo, onToggle }: GroupProps) {
  const { menuGroups } = useTexts('common')
  const id = useId()
  const waiting = useWaiting(...entries.map(({ label }) => label))
  return (
    <div className={classes.group} role="group" aria-labelledby={id}>
      <button
        type="button"
        className={classes.link}
        aria-expanded={isOpen}
        data-here={group === here?.group || undefined}
        title={isRail ? menuGroups[group] : undefined}
        onClick={onToggle}
      >
        <Icon name={icon} />
        <span id={id} className={classes.label}>
          {menuGroups[group]}
        </span>
        {!isOpen && <Count waiting={waiting} />}
      </button>
      {isOpen &&
        entries.map((entry) => <Entry key={entry.line.path} {...entry} isHere={belongsTo(entry, here)} onGo={onGo} />)}
    </div>
  )
}

function Entry({ line, label, isHere, onGo }: MenuEntry & { isHere: boolean; onGo: () => void }) {
  const { menu } = useTexts('common')
  const waiting = useWaiting(label)
  const view = waitingView[label]
  const load = () => void loadScreen(line).catch(() => undefined)
  return (
    <div className={classes.entry}>
      <Link
        to={line.path}
        className={classes.link}
        aria-current={isHere ? 'page' : undefined}
        data-active={isHere || undefined}
        onClick={onGo}
        onPointerEnter={load}
        onFocus={load}
      >
        {!line.group && <Icon name="dashboard" />}
        <span className={classes.label}>{menu[label]}</span>
        {view === undefined && <Count waiting={waiting} />}
      </Link>
      {view !== undefined && <Count waiting={waiting} label={label} to={line.path + view} onGo={onGo} />}
    </div>
  )
}

const countedMax = 99

type CountProps = { waiting: number } & ({ to?: never } | { to: string; label: MenuLabel; onGo: () => void })

/** How many wait there; a separate link where they are part of a list. */
function Count({ waiting, ...link }: CountProps) {
  const { menu, shell } = useTexts('common')
  const format = useFormat()
  if (waiting === 0) return null
  const count = waiting > countedMax ? `${format.count(countedMax)}+` : format.count(waiting)
  const words = (
    <>
      {count} <span className={classes.hidden}>{shell.waiting}</span>
    </>
  )
  if (link.to === undefined) return <span className={classes.count}>{words}</span>
  return (
    <Link to={link.to} className={`${classes.count} ${classes.countLink}`} onClick={link.onGo}>
      {words} <span className={classes.hidden}>{menu[link.label]}</span>
    </Link>
  )
}
