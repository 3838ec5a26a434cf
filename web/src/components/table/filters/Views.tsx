import { savedViewRoutes, type SavedView } from '@ghanti/contract/saved-views.ts'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { jsonQuery } from '../../../api/query.ts'
import { useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import classes from './FilterBar.module.css'
import type { FilterView } from '../use-list.ts'
import { isSameView, openView, viewIn } from './views.ts'

const ViewsPopover = late(() => import('./ViewsPopover.tsx'), { floating: true })
const none: readonly SavedView[] = []

/** A list's saved views behind a button with the open one's name. Opens the default view when the URL has no query. */
export function Views({ filters }: { filters: FilterView }) {
  const t = useTexts('filters')
  const [mounted, setMounted] = useState(false)
  const { views, query, active } = useViews(filters)
  useDefault(views, filters)
  const button = (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="dialog"
      {...(active && { 'aria-label': t.views.button(active.name) })}
      onClick={() => setMounted(true)}
    >
      <IconBookmark size={16} stroke={1.7} aria-hidden />
      <span className={classes.value}>{active?.name ?? t.views.title}</span>
    </button>
  )
  return (
    <span className={classes.add}>
      {mounted ? (
        <Suspense fallback={button}>
          <ViewsPopover
            button={button}
            filters={filters}
            views={views ?? none}
            query={query}
            activeId={active?.viewId ?? null}
          />
        </Suspense>
      ) : (
        button
      )}
    </span>
  )
}

/** The list's saved views, the query of the address, and the view that it is. */
export function useViews(filters: FilterView) {
  const { data: views } = useQuery(jsonQuery(savedViewRoutes.list, { list: filters.list }))
  const [params] = useSearchParams()
  const query = viewIn(params, filters)
  return { views, query, active: views?.find((view) => isSameView(view.query, query)) }
}

/** Once per visit, when the views arrive, unless the reader has searched or filtered by then. */
function useDefault(views: readonly SavedView[] | undefined, filters: FilterView): void {
  const [params, setParams] = useSearchParams()
  const isOpen = useRef(false)
  useEffect(() => {
    if (!views || isOpen.current) return
    isOpen.current = true
    const usual = views.find(({ isDefault }) => isDefault)
    const asksNothing = viewIn(params, filters) === '' && filters.dropped.length === 0 && !params.has('page')
    if (usual && asksNothing)
      setParams(openView(params, usual.query, filters), { replace: true, preventScrollReset: true })
  }, [views, filters, params, setParams])
}
