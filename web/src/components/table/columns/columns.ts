import { ownValue } from '@ghanti/contract/own-values.ts'
import { use, useState } from 'react'
import { SessionContext } from '../../../api/session.ts'
import type { Column } from '../DataTable.tsx'

/** A column's part of the card on phones; 'more' is shown on request. */
export type CardPart = 'title' | 'status' | 'figure' | 'action' | 'line' | 'prose' | 'more'

const figuresMax = 3
const linesMax = 2

const isTitle = (column: Column<never>) => column.cardTitle === true
const isAction = (column: Column<never>) => column.pinned === true

/** A card has title, status, three figures, action and two lines; other columns are 'more'. */
export function cardPart(columns: readonly Column<never>[], column: Column<never>): CardPart {
  const own = ownPart(columns, column)
  if (own) return own
  const rest = columns.filter((other) => ownPart(columns, other) === undefined)
  return rest.length <= linesMax ? 'line' : 'more'
}

function ownPart(columns: readonly Column<never>[], column: Column<never>): CardPart | undefined {
  if (isTitle(column)) return 'title'
  if (isAction(column)) return 'action'
  if (column.card) return column.card
  if (columns.some((other) => other.card === 'figure')) return undefined
  const figures = columns.filter((other) => other.align === 'right' && !isTitle(other)).slice(0, figuresMax)
  return figures.includes(column) ? 'figure' : undefined
}

/** The first column identifies the row, and its actions must stay reachable, so both are fixed. */
export function isOptional(columns: readonly Column<never>[], column: Column<never>): boolean {
  return column !== columns[0] && !isTitle(column) && !isAction(column)
}

type Choices = Readonly<Record<string, boolean>>

function read(place: string | null): Choices {
  try {
    const stored: unknown = place === null ? null : JSON.parse(localStorage.getItem(place) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, shown]) => typeof shown === 'boolean'))
  } catch {
    return {} // storage is unavailable, or holds invalid data
  }
}

function write(place: string, choices: Choices): void {
  try {
    if (Object.keys(choices).length === 0) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(choices))
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** The reader's columns of a list, stored in this browser per account. Ignores columns that no longer exist. */
export function useColumnChoice<Row>(name: string | undefined, columns: readonly Column<Row>[]) {
  const account = use(SessionContext)?.userId ?? 0
  const place = name === undefined ? null : `ghanti.columns.${account}.${name}`
  const [kept, setKept] = useState(() => ({ place, choices: read(place) }))
  const choices = kept.place === place ? kept.choices : read(place)
  if (kept.place !== place) setKept({ place, choices })
  const isShown = (column: Column<Row>) =>
    !isOptional(columns, column) || (ownValue(choices, column.key) ?? column.hidden !== true)
  const keep = (next: Choices) => {
    setKept({ place, choices: next })
    if (place !== null) write(place, next)
  }
  return {
    isShown,
    isChanged: columns.some((column) => isShown(column) === (column.hidden === true)),
    choose(column: Column<Row>, shown: boolean) {
      const { [column.key]: _, ...others } = choices
      keep(shown === (column.hidden !== true) ? others : { ...others, [column.key]: shown })
    },
    reset: () => keep({}),
  }
}
export type ColumnChoice<Row> = ReturnType<typeof useColumnChoice<Row>>
