import type { Outcome } from '@ghanti/contract/bulk.ts'
import { ApiError } from '../../api/error.ts'
import type { Format } from '../../i18n/format.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { confirm, showDialog, type DialogContent } from '../ui/dialogs/dialogs.ts'
import { failureTexts } from '../ui/failures/failure-texts.ts'
import { showDone } from '../ui/toasts/toasts.ts'
import { texts as en } from '../../i18n/en/bulk.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { texts as ne } from '../../i18n/ne/bulk.ts'
import classes from './rows/BulkBar.module.css'
import type { RowId } from './rows/selection.ts'

/** Both languages are in this file, which loads where rows can be chosen. */
const texts = { en, ne }

type Confirm = Extract<DialogContent, { kind: 'confirm' }>

type BulkDeed<Row> = {
  /** 'Approve'; with the number of rows it is the question's heading. */
  label: string
  /** 'Approved'. Undefined: the label stands for it. */
  done: string | undefined
  rows: readonly Row[]
  idOf(row: Row): number
  nameOf(row: Row): string
  keep(ids: readonly RowId[]): void
  run(ids: number[], reason: string): Promise<{ results: readonly Outcome[] }>
  /** Reloads what was shown, whatever the outcome. */
  again(): Promise<unknown>
} & Pick<Confirm, 'question' | 'failure' | 'labels' | 'danger' | 'reason' | 'details' | 'yesFirst'>

export type BulkContext = { common: TextsOf<'common'>; format: Format }

/**
 * Asks once for all rows, naming their number or the single one. Afterwards reports why each refused row was refused and keeps those
 * selected. If all were refused, the question itself says why.
 */
export function askForAll<Row>(deed: BulkDeed<Row>, { common, format }: BulkContext): void {
  const { label, done: past = label, rows, idOf, nameOf, keep, run, again, labels = {}, ...asked } = deed
  const { table } = common
  const [first, ...others] = rows
  const which = (count: string) => (first !== undefined && others.length === 0 ? nameOf(first) : count)
  const onYes = async (reason: string) => {
    const { results } = await run(rows.map(idOf), reason).finally(again)
    const failed = rows.flatMap((row, at) => {
      const outcome = results[at]
      return outcome && outcome.status !== 200 ? [{ row, outcome }] : []
    })
    keep(failed.map(({ row }) => idOf(row)))
    if (failed.length === 0) return showDone(`${past}: ${which(format.count(rows.length))}`)
    const done = rows.length - failed.length
    showDialog({
      title: texts[currentLanguage()].notDone(format.count(failed.length), format.count(rows.length)),
      render: () => (
        <>
          <p className={classes.reason}>{texts[currentLanguage()].doneOthers(format.count(done))}</p>
          <ul className={classes.failures}>
            {failed.map(({ row, outcome }) => (
              <li key={idOf(row)}>
                <strong>{nameOf(row)}</strong> {whyOf(outcome, labels)}
              </li>
            ))}
          </ul>
        </>
      ),
    })
  }
  confirm({ title: which(table.chosen(format.count(rows.length))), verb: label, labels, onYes, ...asked })
}

function whyOf({ status, message, errors }: Outcome, labels: Readonly<Record<string, string>>): string {
  return failureTexts(new ApiError(status, message, errors), labels).helps.join(' ')
}

export function leftOut<Row>(chosen: readonly Row[], rows: readonly Row[], { format }: Pick<BulkContext, 'format'>) {
  const count = chosen.length - rows.length
  return count === 0 ? {} : { details: <p>{texts[currentLanguage()].leftOut(format.count(count))}</p> }
}
