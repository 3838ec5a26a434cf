import { useCallback, useLayoutEffect, useRef, useState } from 'react'

export type RowId = number | string
/** `range`: all rows from the previous one to this one. */
export type Choose = (id: RowId, isChosen: boolean, range: boolean) => void

/** The selected rows of the page. A row that leaves the screen is deselected, because nobody should act on what they cannot see. */
export function useSelection<Row>(rows: readonly Row[] | undefined, rowId: (row: Row) => RowId) {
  const [chosen, setChosen] = useState<ReadonlySet<RowId>>(new Set())
  const ids = rows?.map(rowId) ?? []
  const shown = useRef(ids)
  useLayoutEffect(() => {
    shown.current = ids
  })
  const before = useRef<RowId | null>(null)
  const choose = useCallback<Choose>((id, isChosen, range) => {
    const all = shown.current
    const from = before.current === null ? -1 : all.indexOf(before.current)
    const to = all.indexOf(id)
    const meant = range && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    before.current = id
    setChosen((now) => {
      const next = new Set(now)
      for (const one of meant) {
        if (isChosen) next.add(one)
        else next.delete(one)
      }
      return next
    })
  }, [])
  const there = new Set(ids.filter((id) => chosen.has(id)))
  if (there.size !== chosen.size) setChosen(there)
  return { chosen: there, choose, keep: (kept: readonly RowId[]) => setChosen(new Set(kept)), ids }
}
export type Selection = ReturnType<typeof useSelection>
