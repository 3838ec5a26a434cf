import { useId } from 'react'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { lastPage, pageNumbers, pageSizes } from './list-state.ts'
import { Hint } from './Hint.tsx'
import classes from './Pager.module.css'
import type { ListView } from './use-list.ts'

export function Pager<Row>({ list }: { list: ListView<Row> }) {
  const { table } = useTexts('common')
  const format = useFormat()
  const sizeId = useId()
  const { page, pageSize } = list.state
  const last = lastPage(list.total, pageSize)
  const from = (page - 1) * pageSize + 1
  const shownTo = from + (list.rows?.length ?? 0) - 1
  const total = `${format.count(list.total)}${list.exact ? '' : '+'}`
  const go = (to: number) => list.change({ page: to })
  return (
    <div className={classes.pager}>
      <div className={classes.left}>
        <label className={classes.size} htmlFor={sizeId}>
          {table.rowsPerPage}
        </label>
        <select
          id={sizeId}
          className={classes.select}
          value={pageSize}
          onChange={(event) => list.change({ pageSize: Number(event.currentTarget.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {format.count(size)}
            </option>
          ))}
        </select>
        {shownTo >= from && (
          <output className={classes.range}>{table.range(format.count(from), format.count(shownTo), total)}</output>
        )}
      </div>
      {last > 1 && (
        <nav className={classes.pages} aria-label={table.pages}>
          <button
            type="button"
            className={classes.page}
            aria-label={table.previous}
            aria-disabled={page <= 1 || undefined}
            onClick={() => page > 1 && go(page - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </button>
          {pageNumbers(page, last).map((number, index) =>
            number === null ? (
              <span key={`gap ${index < 3 ? 'left' : 'right'}`} className={classes.gap}>
                …
              </span>
            ) : (
              <button
                key={number}
                type="button"
                className={classes.page}
                aria-label={table.page(format.count(number))}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => go(number)}
              >
                {format.count(number)}
              </button>
            ),
          )}
          <button
            type="button"
            className={classes.page}
            aria-label={table.next}
            aria-disabled={page >= last || undefined}
            onClick={() => page < last && go(page + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </button>
        </nav>
      )}
      {!list.exact && page === last && (
        <p className={classes.hint}>
          <Hint is="tooFar" value={format.count(list.total)} />
        </p>
      )}
    </div>
  )
}
