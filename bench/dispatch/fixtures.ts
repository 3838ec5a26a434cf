import assert from 'node:assert/strict'
import type { Part } from '@ghanti/callflow/flow.ts'
import type { Db } from '@ghanti/server/db/db.ts'
import { newCampaign } from '@ghanti/server/voice/testing/fixtures.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import { newLine, newReseller, newUser } from '@ghanti/server/testing/seed.ts'
import type { TestFiles } from '@ghanti/server/testing/files/test-files.ts'

export const promptMs = 3000
const plenty = 1_000_000

/** A prompt of three seconds; `sound` is its stored content. */
export async function threeSeconds(files: TestFiles, sound: Buffer): Promise<Part> {
  return { kind: 'prompt', promptId: 1, durationMs: promptMs, hash: await files.putBytes(sound) }
}

type Line = { dialerId: number; trunkId: number; cliId: number }
export type Fixtures = { users: Viewer[]; reseller: Viewer; lines: Line[]; mintId: number }
export type Campaign = {
  id: number
  user: Viewer
  line: Line
  payerIds: number[]
}

/** A top reseller, two resellers below it, and users distributed below these; a caller ID for each dialer, held by all. */
export async function makeFixtures(
  db: Db,
  of: { users: number; dialers: number; line: { channels: number; cps: number } },
): Promise<Fixtures> {
  const top = await newReseller({ db }, { channels: plenty })
  const resellers = [
    await newReseller({ db }, { parent: top, channels: plenty }),
    await newReseller({ db }, { parent: top, channels: plenty }),
  ] as const
  const users: Viewer[] = []
  for (let i = 0; i < of.users; i++)
    users.push(await newUser({ db }, { parent: resellers[i % 2] ?? top, channels: plenty, rupees: 10_000_000 }))
  const lines: Line[] = []
  for (let i = 0; i < of.dialers; i++) {
    const line = await newLine({ db }, { holders: users, ...of.line })
    await db
      .updateTable('dialer')
      .set({ port: 20_000 + i })
      .where('id', '=', line.dialerId)
      .execute()
    lines.push(line)
  }
  const { id: mintId } = await db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'mint')
    .executeTakeFirstOrThrow()
  return { users, reseller: resellers[0], lines, mintId }
}

let made = 0

/**
 * Campaigns that play `opening` and hang up, with `rows` distinct numbers each that answer and listen, as after compose and preparation. `apart`: how
 * far the first numbers of two campaigns are, at least twice the rows.
 */
export async function makeCampaigns(
  db: Db,
  fixtures: Fixtures,
  of: { campaigns: number; rows: number; status: 'running' | 'paused'; opening: readonly Part[]; apart?: number },
): Promise<Campaign[]> {
  const campaigns: Campaign[] = []
  for (let i = 0; i < of.campaigns; i++) {
    const [user, line] = [fixtures.users[i % fixtures.users.length], fixtures.lines[i % fixtures.lines.length]]
    assert(user && line)
    const id = await newCampaign(
      { db },
      {
        user,
        line,
        status: of.status,
        phones: answering(of.rows, 9779800000000 + ++made * (of.apart ?? 1_000_000)),
        flow: { templateId: 0, opening: [...of.opening], menus: [], closing: [], speech: null, spoken: [] },
      },
    )
    const levels = await db
      .selectFrom('campaign_level')
      .select('payer_id')
      .where('campaign_id', '=', id)
      .orderBy('level')
      .execute()
    campaigns.push({ id, user, line, payerIds: levels.map((level) => level.payer_id) })
  }
  return campaigns
}

/** Numbers whose last two digits are 50 to 99: they answer. */
function answering(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, n) => from + Math.floor(n / 50) * 100 + 50 + (n % 50))
}
