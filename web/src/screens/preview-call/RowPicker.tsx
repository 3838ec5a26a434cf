import { plainNumber } from '@ghanti/contract/written-number.ts'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './PreviewCall.module.css'
import type { Preview } from './queries.ts'

type RowPickerProps = {
  /** Absent while loading, and when there is none. */
  row: Preview['row'] | undefined
  line: number | null
  busy: boolean
  onChoose: (line: number) => void
}

export function RowPicker({ row, line, busy, onChoose }: RowPickerProps) {
  const t = useTexts('previewCall')
  const shown = row?.line ?? line
  const choose = (input: HTMLInputElement) => {
    const wanted = Number(plainNumber(input.value.trim()))
    if (!Number.isSafeInteger(wanted) || wanted < 1) input.value = String(shown ?? '')
    else if (wanted !== shown) onChoose(wanted)
  }
  const enter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') choose(event.currentTarget)
  }
  const go = (to: number | null | undefined) => to && onChoose(to)
  return (
    <section className={classes.row} aria-label={t.row} aria-busy={busy}>
      <div className={classes.picker} data-row-picker>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t.previous}
          disabled={!row?.previous}
          onClick={() => go(row?.previous)}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <TextInput
          label={t.line}
          inputMode="numeric"
          defaultValue={shown ?? ''}
          maxLength={8}
          onKeyDown={enter}
          onBlur={(event) => choose(event.currentTarget)}
          className={classes.line ?? ''}
        />
        <ActionIcon variant="default" size="lg" aria-label={t.next} disabled={!row?.next} onClick={() => go(row?.next)}>
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </div>
      {row && <Cells row={row} />}
    </section>
  )
}

function Cells({ row }: { row: Preview['row'] }) {
  const t = useTexts('previewCall')
  const format = useFormat()
  const cells = row.mobile === null ? [] : [{ column: t.mobile, value: format.phone(row.mobile) }]
  const named = row.values.map(({ column, value }) => ({ column: column || t.text, value }))
  return (
    <div className={classes.grow}>
      <dl className={classes.cells}>
        {[...cells, ...named].map(({ column, value }) => (
          <div key={column}>
            <dt>{column}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {row.refused !== null && (
        <p role="alert" className={classes.refused}>
          {t.refused(serverText(row.refused))}
        </p>
      )}
      {row.blacklisted && <p className={classes.refused}>{t.blacklisted}</p>}
    </div>
  )
}
