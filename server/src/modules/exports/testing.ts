import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Db } from '../../db/db.ts'
import { clientConfig } from '../../db/pool.ts'
import { scopeOf } from '../../policy.ts'
import type { CallsOf } from '../call-report/actions-table.ts'
import { reportCells, reportHeader, reportRowOf } from '../sms-campaigns/rules-replies.ts'
import { messageBatches } from '../sms-campaigns/store-report.ts'
import { csvIn, makeReport } from '../reports/worker-report.ts'
import { writeExport } from './worker-table.ts'

type Sums = { calls: number; pulses: number; paisa: number }
type Of = { kind: 'calls'; calls: CallsOf } | { kind: 'rows'; campaignId: number }
type Line = Record<string, string>

const everything = scopeOf({ userId: 0, username: '', role: 'superAdmin', parentId: null })
const reader = { role: 'superAdmin', keptDays: 90, keptSince: new Date(0) } as const

/**
 * Compares files with the database: the export of all calls, and the export of rows and the reports of each campaign, must add up to the calls
 * themselves. Returns the differences as sentences. No call may be in progress.
 */
export async function fileFaults({ db, url }: { db: Db; url: string }): Promise<string[]> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'ghanti-files-'))
  const linesOf = async (job: Of): Promise<Line[]> => {
    const target = path.join(folder, 'export.csv')
    const whole = {
      ...job,
      databaseUrl: url,
      isReplica: false,
      format: 'csv',
      target,
      bytesMax: Number.MAX_SAFE_INTEGER,
    } as const
    const made = await writeExport(whole, () => {})
    if ('refused' in made) throw new Error(made.refused)
    return parse<Line>(await fs.readFile(target), { bom: true, columns: true })
  }
  try {
    const calls = await linesOf({ kind: 'calls', calls: { scope: everything, filter: {}, reader } })
    const faults = differing(
      'all calls',
      sumOf(calls, () => 1),
      await sumsOfCalls(db, null),
    )
    for (const { id } of await campaignsWithRows(db)) {
      const rows = await linesOf({ kind: 'rows', campaignId: id })
      const callsOf = (line: Line) => Number(line['Calls'])
      faults.push(...differing(`the rows of campaign ${id}`, sumOf(rows, callsOf), await sumsOfCalls(db, id)))
    }
    return [...faults, ...(await reportFaults({ db, url }, folder)), ...(await messageFileFaults(db))]
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** Like fileFaults, for the reports: they have one line for each answered call, and one for each answered call with a key. */
async function reportFaults({ db, url }: { db: Db; url: string }, folder: string): Promise<string[]> {
  const client = new Client(clientConfig({ connectionString: url, name: 'ghanti-report' }))
  await client.connect()
  try {
    const faults: string[] = []
    for (const { id } of await campaignsWithRows(db)) {
      await makeReport(client, { campaignId: id, at: new Date() }, folder)
      for (const type of ['cc', 'dtmf'] as const) {
        const lines = parse<Line>(await fs.readFile(csvIn(folder, type)), { bom: true, columns: true })
        const said = sumOf(lines, () => 1)
        faults.push(...differing(`the ${type} report of campaign ${id}`, said, await sumsOfAnswered(db, id, type)))
      }
    }
    return faults
  } finally {
    await client.end()
  }
}

type MessageSums = { messages: number; accepted: number; paisa: number }

/**
 * As fileFaults, of the CSV of each SMS campaign, and of its summary once the screens know its last message: a line for each number, and together what was
 * sent and paid for.
 */
export async function messageFileFaults(db: Db): Promise<string[]> {
  const { rows } = await sql<MessageSums & { id: number; shown: MessageSums }>`
    select p.campaign_id as id, (select count(*)::int from sms_message m where m.campaign_id = p.campaign_id) as messages,
      (count(s.id) filter (where s.accepted > 0))::int as accepted, coalesce(sum(s.cost_paisa), 0)::bigint as paisa,
      json_build_object('messages', p.uploaded, 'accepted', p.accepted, 'paisa', p.cost_paisa) as shown
      from sms_campaign_progress p left join sms_sent s on s.campaign_id = p.campaign_id
     where not exists (select from archive_part r where r.campaign_id = p.campaign_id) and not exists (select from sms_campaign_deleted d where d.campaign_id = p.campaign_id)
     group by p.campaign_id, p.uploaded, p.accepted, p.cost_paisa order by 1`.execute(db)
  const faults: string[] = []
  for (const { id, shown, ...are } of rows) {
    const file = { messages: 0, accepted: are.accepted, paisa: 0 }
    for await (const batch of messageBatches(db, { campaignId: id }))
      for (const message of batch) {
        const cells = reportCells(reportRowOf(message, '', false))
        file.messages += 1
        file.paisa += Math.round(Number(cells[reportHeader.indexOf('Cost (Rs)')]) * 100)
      }
    const isShown = shown.messages === are.messages && shown.accepted === are.accepted
    for (const [what, said] of [['file', file], ...(isShown ? ([['summary', shown]] as const) : [])] as const)
      if (JSON.stringify(said) !== JSON.stringify(are))
        faults.push(`the ${what} of SMS campaign ${id} says ${JSON.stringify(said)} of ${JSON.stringify(are)}`)
  }
  return faults
}

function sumOf(lines: readonly Line[], callsOf: (line: Line) => number): Sums {
  const sums = { calls: 0, pulses: 0, paisa: 0 }
  for (const line of lines) {
    sums.calls += callsOf(line)
    sums.pulses += Number(line['Pulses'])
    sums.paisa += Math.round(Number(line['Cost (Rs)']) * 100)
  }
  return sums
}

function differing(what: string, said: Sums, are: Sums): string[] {
  const [one, other] = [JSON.stringify(said), JSON.stringify(are)]
  return one === other ? [] : [`the file of ${what} says ${one} of ${other}`]
}

/** `campaignId` null: all calls, including test calls and Call Now. */
async function sumsOfCalls(db: Db, campaignId: number | null): Promise<Sums> {
  const which = sql`(${campaignId}::int is null or campaign_id = ${campaignId} and coalesce(kind, 'campaign') = 'campaign')`
  const { rows } = await sql<Sums>`
    select count(*)::int as calls, coalesce(sum(pulses), 0)::int as pulses, coalesce(sum(cost_paisa), 0)::bigint as paisa from attempt where ${which}`.execute(
    db,
  )
  return rows[0] ?? { calls: 0, pulses: 0, paisa: 0 }
}

async function sumsOfAnswered(db: Db, campaignId: number, type: 'cc' | 'dtmf'): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*)::int as calls, coalesce(sum(pulses), 0)::int as pulses, coalesce(sum(cost_paisa), 0)::bigint as paisa
      from attempt where campaign_id = ${campaignId} and disposition = 'ANSWER' and (${type} = 'cc' or keys <> '')`.execute(
    db,
  )
  return rows[0] ?? { calls: 0, pulses: 0, paisa: 0 }
}

function campaignsWithRows(db: Db): Promise<{ id: number }[]> {
  return db.selectFrom('campaign').select('id').where('is_test', '=', false).orderBy('id').execute()
}
