import type { CampaignStatus, Disposition } from '../../db/tables.ts'
import type { TrunkFault } from '../../drivers/telephony/simulator/numbers.ts'
import { trunkName } from '../model/calls/trunk-data.ts'
import type { Dialling } from './engine.ts'
import type { EngineDb } from './fixtures.ts'

/** Numbers that ring and answer, in steps of a hundred. */
export const answering = (n: number, from: number): number[] => Array.from({ length: n }, (_, i) => from + 100 * i + 46)

/** The same, of the operator that has this prefix. */
export const answeringOf = (prefix: number, n: number, from = 0): number[] =>
  answering(n, 9770000000000 + prefix * 1e7 + 100 * from)

/** What tests ask the database of campaigns. */
export function campaignsIn({ db, pool }: Pick<EngineDb, 'db' | 'pool'>) {
  const counted = async (text: string, values: unknown[]): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ way: string; n: number }>(text, values)
    return Object.fromEntries(rows.map(({ way, n }) => [way, n]))
  }
  return {
    row: (campaignId: number) =>
      db
        .selectFrom('campaign')
        .select(['status', 'reason', 'hold_cause'])
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow(),
    reasonOfStream: async (campaignId: number, stream: number): Promise<string | null> =>
      (
        await db
          .selectFrom('campaign_stream')
          .select('reason')
          .where('campaign_id', '=', campaignId)
          .where('stream', '=', stream)
          .executeTakeFirstOrThrow()
      ).reason,
    /** Whether it was ever in this status. */
    was: async (campaignId: number, status: CampaignStatus): Promise<boolean> =>
      (await db
        .selectFrom('campaign_event')
        .select('to_status')
        .where('campaign_id', '=', campaignId)
        .where('to_status', '=', status)
        .executeTakeFirst()) !== undefined,
    /** How many calls ended so, by trunk. */
    over: (campaignId: number, disposition: Disposition = 'ANSWER') =>
      counted(
        'select trunk_id::text as way, count(*)::int as n from attempt where campaign_id = $1 and disposition = $2::disposition group by 1',
        [campaignId, disposition],
      ),
    /** By operator and trunk: '1 over 7'. */
    ways: (campaignId: number, disposition: Disposition = 'ANSWER') =>
      counted(
        `select operator || ' over ' || trunk_id as way, count(*)::int as n from attempt where campaign_id = $1 and disposition = $2::disposition group by 1`,
        [campaignId, disposition],
      ),
  }
}

/** What the network does with calls over the trunk from now on, or over one of its hosts. Null: it carries them. */
export async function setFault(
  { db, simulator }: Pick<Dialling, 'db' | 'simulator'>,
  trunkId: number,
  fault: TrunkFault | null,
  host?: string,
): Promise<void> {
  const dialer = await db
    .selectFrom('dialer')
    .innerJoin('trunk', 'trunk.dialer_id', 'dialer.id')
    .select(['dialer.host', 'dialer.port'])
    .where('trunk.id', '=', trunkId)
    .executeTakeFirstOrThrow()
  await simulator.control(dialer).setTrunkFault(trunkName(trunkId), fault, host)
}
