import { useDisclosure } from '@mantine/hooks'
import { Suspense, useEffect, useRef } from 'react'
import { Link, matchPath, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useWaitingWork } from '../api/retry-while-busy.ts'
import { useLiveInterrupted } from '../api/live-state.ts'
import { useSession } from '../api/session.ts'
import { CallNowHost } from '../screens/call-now/CallNowHost.tsx'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { late } from '../components/ui/loading/late.tsx'
import { screens } from '../paths.ts'
import { serverText, useTexts } from '../i18n/language.ts'
import { Header } from './Header.tsx'
import { useRail } from './rail.ts'
import classes from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { SpotlightHost } from './SpotlightHost.tsx'

const DemoNote = late(() => import('./DemoNote.tsx'))
const BottomBar = late(() => import('./BottomBar.tsx'), { floating: true })

export function Shell() {
  const { shell } = useTexts('common')
  const [menuOpen, menu] = useDisclosure(false)
  const main = useRef<HTMLElement>(null)
  const navigation = useNavigation()
  const { pathname } = useLocation()
  const line = screens.find(({ path }) => matchPath(path, pathname))
  const rail = useRail(line)
  const before = useRef(pathname)
  // The clicked link may be gone with its screen, so the focus moves to the new one. After a page load it starts at the top. A search
  // or filter, which may change the address late, leaves the focus alone.
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className={classes.shell} data-rail={rail.isRail || undefined}>
      <a
        href="#main"
        className={classes.skip}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {shell.skipToContent}
      </a>
      <div
        className={classes.menu}
        onKeyDown={({ key, currentTarget }) => {
          if (!menuOpen || key !== 'Escape') return
          menu.close()
          const toggles = [...currentTarget.querySelectorAll<HTMLElement>('[aria-controls=sidebar]')]
          toggles.find((toggle) => toggle.checkVisibility())?.focus()
        }}
      >
        <Header
          menuOpen={menuOpen}
          onToggleMenu={menu.toggle}
          isRail={rail.isRail}
          onToggleRail={() => rail.set(!rail.isRail)}
        />
        <Sidebar
          here={line}
          open={menuOpen}
          isRail={rail.isRail}
          onClose={menu.close}
          onExpand={() => rail.set(false)}
        />
        <Suspense>
          <BottomBar menuOpen={menuOpen} onToggleMenu={menu.toggle} />
        </Suspense>
      </div>
      <main id="main" ref={main} tabIndex={-1} className={classes.main} aria-busy={navigation.state !== 'idle'}>
        <Stopped />
        <Notices />
        <div className={classes.progress} data-on={navigation.state !== 'idle' || undefined} />
        <Outlet />
        <footer className={classes.footer}>{shell.footer}</footer>
      </main>
      <SpotlightHost />
      <CallNowHost />
      <ScrollRestoration getKey={(location) => location.pathname} />
    </div>
  )
}

/** 'Stop all dialling', while it affects the viewer. */
function Stopped() {
  const { shell } = useTexts('common')
  const { stopped, role } = useSession()
  return (
    <div role="alert" className={classes.stopped}>
      {stopped.map((sentence) => (
        <p key={sentence}>
          <Icon name="stop" />
          <span className={classes.sentence}>{serverText(sentence)}</span>
          {role === 'superAdmin' && <Link to="/stop-dialling">{shell.seeTheStop}</Link>}
        </p>
      ))}
    </div>
  )
}

function Notices() {
  const { shell } = useTexts('common')
  const { simulatorSpeed, virtualOperator } = useSession()
  const interrupted = useLiveInterrupted()
  const waiting = useWaitingWork()
  return (
    <>
      {(virtualOperator || simulatorSpeed !== null) && (
        <p className={classes.demo}>
          <b>{shell.demo}</b>{' '}
          <Suspense fallback={<span aria-busy />}>
            <DemoNote />
          </Suspense>
        </p>
      )}
      <div role="status">
        {interrupted && <p className={`${classes.notice} ${classes.warning}`}>{shell.offline}</p>}
        {waiting !== null && <p className={classes.notice}>{shell.waitsForRoom(serverText(waiting))}</p>}
      </div>
    </>
  )
}
