import { ownValue } from '@ghanti/contract/own-values.ts'
import { useMediaQuery } from '@mantine/hooks'
import { createContext, use, useId, useMemo, type KeyboardEvent, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import classes from './Tabs.module.css'

type Tab = {
  key: string
  label: string
  /** How many errors are in it. */
  mark?: string
}
type Tabbed = {
  open: string
  choose: (key: string) => void
  id: string
  areTabs: boolean
  /** In wide windows too. */
  always: boolean
}

/** In the URL. Lists on such a page do not take it for a filter. */
export const tabParameter = 'tab'
const TabsContext = createContext<Tabbed | null>(null)

function useTabs(): Tabbed {
  const tabs = use(TabsContext)
  if (!tabs) throw new Error('TabList and TabPanel are for inside of PageTabs')
  return tabs
}

type PageTabsProps = {
  keys: readonly string[]
  /** In wide windows too. */
  always?: boolean
  children: ReactNode
}

/**
 * Parts of a long page, one at a time, by TabList and TabPanel; the choice is in the URL. Unless `always`, wider windows than a phone's show
 * all parts, without tabs. So does paper.
 */
export function PageTabs({ keys, always = false, children }: PageTabsProps) {
  const [params, setParams] = useSearchParams()
  const id = useId()
  const screens = always ? 'screen' : 'screen and (max-width: 600px)'
  const areTabs = useMediaQuery(screens, undefined, { getInitialValueInEffect: false })
  const asked = params.get(tabParameter)
  const open = keys.find((key) => key === asked) ?? keys[0] ?? ''
  const value = useMemo(() => {
    const choose = (key: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (key === keys[0]) next.delete(tabParameter)
          else next.set(tabParameter, key)
          return next
        },
        { replace: true, preventScrollReset: true },
      )
    return { open, choose, id, areTabs, always }
  }, [open, keys, setParams, id, areTabs, always])
  return <TabsContext value={value}>{children}</TabsContext>
}

/** Tabs as those of `PageTabs` that are always there, of which whoever shows them keeps which one is open. */
export function AllTabs({ open, choose, children }: Pick<Tabbed, 'open' | 'choose'> & { children: ReactNode }) {
  const id = useId()
  const value = useMemo(() => ({ open, choose, id, areTabs: true, always: true }), [open, choose, id])
  return <TabsContext value={value}>{children}</TabsContext>
}

/** Arrows, Home and End move between tabs, and each opens at once. */
export function TabList({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { open, choose, id, areTabs } = useTabs()
  if (!areTabs) return null
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const focused = event.target instanceof Element ? event.target.id : ''
    const at = tabs.findIndex(({ key }) => focused === `${id}-${key}`)
    const to = ownValue({ ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }, event.key)
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    choose(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the chosen tab has the focus
    <div role="tablist" aria-label={label} className={classes.list} onKeyDown={move}>
      {tabs.map(({ key, label: text, mark }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          aria-selected={key === open}
          aria-controls={`${id}-${key}-panel`}
          tabIndex={key === open ? 0 : -1}
          className={classes.tab}
          onClick={() => choose(key)}
        >
          {text}
          {mark !== undefined && <span className={classes.mark}> {mark}</span>}
        </button>
      ))}
    </div>
  )
}

/** Where there are tabs only the selected part is visible; all stay mounted, so that nothing is loaded or typed twice. */
export function TabPanel({ tab, children }: { tab: string; children: ReactNode }) {
  const { open, id, areTabs, always } = useTabs()
  return (
    <div
      id={`${id}-${tab}-panel`}
      className={classes.panel}
      data-always={always || undefined}
      data-closed={tab !== open || undefined}
      {...(areTabs && { role: 'tabpanel', 'aria-labelledby': `${id}-${tab}` })}
    >
      {children}
    </div>
  )
}
