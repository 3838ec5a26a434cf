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
 * screens know already. A call may end between the question for the calls and that for the page: only what both still say afterwards is a fault.
 */
export async function pageFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const calls of await sumsOfCalls(db, null)) {
    const fault = await lastingFault(db, calls)
    if (fault !== null) faults.push(fault)
  }
  return faults
}

async function lastingFault(db: Db, calls: Sums): Promise<string | null> {
  const fault = await faultOf(db, calls)
  const [now] = fault === null ? [] : await sumsOfCalls(db, calls.campaignId)
  if (!now || JSON.stringify(now) === JSON.stringify(calls)) return now ? fault : null
  return lastingFault(db, now)
}

async function faultOf(db: Db, { campaignId, ...calls }: Sums): Promise<string | null> {
  const campaign = await campaignDetail({ app: { db }, viewer: everybody }, campaignId)
  const { figures, money } = pageOf({ campaign, menus: [], at: systemClock.now() }, { language: 'en', calendar: 'ad' })
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
  const wrong = said.filter((one) => JSON.stringify(one) !== JSON.stringify(calls))
  if (wrong.length === 0) return null
  return `campaign ${campaignId}: its page says ${JSON.stringify(wrong)} of ${JSON.stringify(calls)}`
}

type Sums = { campaignId: number; attempts: number; answered: number; pulses: number; paisa: number }

/** The sums of the calls themselves, for this campaign or every one whose last call the screens show. For tests only, because it reads every call. */
async function sumsOfCalls(db: Db, campaignId: number | null): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    select p.campaign_id as "campaignId", count(a.id)::int as attempts, (count(*) filter (where a.disposition = 'ANSWER'))::int as answered,
           coalesce(sum(a.pulses), 0)::int as pulses, coalesce(sum(a.cost_paisa), 0)::bigint as paisa
      from campaign_progress p join campaign c on c.id = p.campaign_id and not c.is_test left join attempt a on a.campaign_id = p.campaign_id
     where (${campaignId}::int is null or p.campaign_id = ${campaignId}) and not exists (select from archive_part r where r.campaign_id = p.campaign_id)
     group by p.campaign_id, p.attempts having p.attempts = count(a.id) order by 1`.execute(db)
  return rows
}
