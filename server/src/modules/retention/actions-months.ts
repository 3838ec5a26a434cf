import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import { beginMonth, makePartitions, missingPartitions } from '../../db/schema/partitions.ts'
import { raiseAlert } from '../alerts/actions.ts'

/** Creates partitions ahead of those in use, and one for each month. Raises an alert if the next one is still missing. */
export async function keepPartitions({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const month = `${nepalDayOf(clock.now()).slice(0, 7)}-01`
  try {
    await makePartitions(db)
    await beginMonth(db, month)
    await makePartitions(db)
  } finally {
    for (const { what, endsAt } of await missingPartitions(db)) {
      const detail = `the partition after id ${endsAt - 1} is missing: when the ids reach it nothing more can be stored`
      await raiseAlert(db, 'partitions', what, detail)
    }
  }
}
