import { sql } from 'kysely'
import { systemClock } from '../../clock.ts'
import type { Db } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { campaignDetail } from '../voice-campaigns/actions-read.ts'
import { figuresCells, figuresHeader } from './rules-csv.ts'
import { pageOf } from './rules-page.ts'

const everybody: Viewer = { userId: 0, username: '', role: 'superAdmin', parentId: null }

/** Whole paisa of 'Rs 1,23,456.50'. */
const paisaOf = (text: string | undefined) => Number((text ?? '').replaceAll(/[^\d]/g, ''))
const numberOf = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''))

/**
 * Where the page and the table of a campaign's summary say anything but its calls do, to the call and the paisa, in words. Of campaigns whose last calls the
 * screens know already.
 */
export async function pageFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const { campaignId, ...calls } of await sumsOfCalls(db)) {
    const campaign = await campaignDetail({ app: { db }, viewer: everybody }, campaignId)
    const { figures, money } = pageOf(
      { campaign, menus: [], at: systemClock.now() },
      { language: 'en', calendar: 'ad' },
    )
    const [attempts, answered, , pulses, cost] = money.lines
    const cells = figuresCells(campaign)
    const cell = (column: string) => Number(cells[figuresHeader.indexOf(column)])
    const said = [
      {
        attempts: numberOf(attempts?.value),
        answered: numberOf(answered?.value),
        pulses: numberOf(pulses?.value),
        paisa: paisaOf(cost?.value),
      },
      { ...calls, answered: numberOf(figures[2]?.value), paisa: paisaOf(figures[3]?.value) },
      {
        attempts: cell('Calls Made'),
        answered: cell('Answered'),
        pulses: cell('Total Pulses'),
        paisa: Math.round(cell('Cost (Rs)') * 100),
      },
    ]
    for (const one of said)
      if (JSON.stringify(one) !== JSON.stringify(calls))
        faults.push(`campaign ${campaignId}: its page says ${JSON.stringify(one)} of ${JSON.stringify(calls)}`)
  }
  return faults
}

type Sums = { campaignId: number; attempts: number; answered: number; pulses: number; paisa: number }

/** What the calls themselves add up to, of each campaign that the screens know to its last call. For tests: it reads every call. */
async function sumsOfCalls(db: Db): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    select p.campaign_id as "campaignId", count(a.id)::int as attempts, (count(*) filter (where a.disposition = 'ANSWER'))::int as answered,
           coalesce(sum(a.pulses), 0)::int as pulses, coalesce(sum(a.cost_paisa), 0)::bigint as paisa
      from campaign_progress p join campaign c on c.id = p.campaign_id and not c.is_test left join attempt a on a.campaign_id = p.campaign_id
     where not exists (select from archive_part r where r.campaign_id = p.campaign_id)
     group by p.campaign_id, p.attempts having p.attempts = count(a.id) order by 1`.execute(db)
  return rows
}
