import { campaignStatuses, finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { smsCampaignHandlers } from '../sms-campaigns/routes.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'
import { retentionHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  const handlers = {
    retention: retentionHandlers,
    voiceCampaigns: voiceCampaignHandlers,
    smsCampaigns: smsCampaignHandlers,
  }
  http = await testHttp(app, { handlers })
  reseller = await newReseller(app)
  user = await newUser(app, { parent: reseller })
})

const kinds = [
  {
    kind: 'calls',
    list: (viewer: Viewer) => `/api/obd/campaign/${viewer.userId}`,
    act: '/api/obd/campaign',
    newOne: (status: (typeof campaignStatuses)[number]) => newCampaign(app, user, { status }),
  },
  {
    kind: 'messages',
    list: (viewer: Viewer) => `/app/sms/campaigns/${viewer.userId}`,
    act: '/app/sms/campaign',
    newOne: (status: (typeof campaignStatuses)[number]) => newSmsCampaign(app, user, { status }),
  },
] as const

async function ask(viewer: Viewer, url: string, payload: object) {
  const reply = await http.inject({ method: 'POST', url, headers: await signedIn(app, viewer), payload })
  const { errors = [] } = reply.json<{ errors?: FieldError[] }>()
  return { status: reply.statusCode, text: errors[0]?.text }
}
async function listed(viewer: Viewer, url: string) {
  const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
  const rows = reply.json<{ campaignId: number; archived?: true }[]>()
  return { ids: rows.map(({ campaignId }) => campaignId), rows, total: Number(reply.headers['x-total-count']) }
}

for (const { kind, list, act, newOne } of kinds)
  test(`archived ${kind} are in no list and no total until they are asked for, by the owner and above, and come back`, async () => {
    const [kept, gone] = [await newOne('complete'), await newOne('cancelled')]
    expect(await ask(user, `${act}/archive`, { campaignId: gone })).toEqual({ status: 200, text: undefined })
    for (const viewer of [user, reseller]) {
      expect((await listed(viewer, list(viewer))).ids).toEqual([kept])
      expect(await listed(viewer, `${list(viewer)}?page=1&pageSize=10`)).toMatchObject({ ids: [kept], total: 1 })
      const searched = async (id: number, archived: string) =>
        (await listed(viewer, `${list(viewer)}?search=%23${id}${archived}`)).ids
      expect([await searched(kept, ''), await searched(kept, '&archived=only')]).toEqual([[kept], []])
      expect([await searched(gone, ''), await searched(gone, '&archived=only')]).toEqual([[], [gone]])
      const only = await listed(viewer, `${list(viewer)}?archived=only`)
      expect(only).toMatchObject({ ids: [gone], rows: [{ archived: true }] })
      expect((await listed(viewer, `${list(viewer)}?archived=too`)).ids.toSorted()).toEqual([kept, gone].toSorted())
    }
    await ask(user, `${act}/archive`, { campaignId: gone, archived: false })
    const again = await listed(user, list(user))
    expect(again.ids.toSorted()).toEqual([kept, gone].toSorted())
    expect(again.rows.every((row) => row.archived === undefined)).toBe(true)
    const lines = await app.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('target', '=', `${kind === 'calls' ? 'campaign' : 'sms campaign'} ${gone}`)
      .where('action', 'in', ['campaign.archive', 'campaign.bringBack', 'sms.archive', 'sms.bringBack'])
      .orderBy('id')
      .execute()
    expect(lines.map(({ action }) => action.replace(/^\w+\./, ''))).toEqual(['archive', 'bringBack'])
    expect(lines.every((line) => line.actor_id === user.userId)).toBe(true)
  })

for (const { kind, act, newOne } of kinds)
  test(`${kind} that are not over are refused with the reason; those of somebody else are not there`, async () => {
    const other = await newUser(app)
    for (const status of campaignStatuses) {
      const campaignId = await newOne(status)
      const isOver = finishedStatuses.some((finished) => finished === status)
      const reply = await ask(user, `${act}/archive`, { campaignId })
      if (isOver) expect(reply.status).toBe(200)
      else expect(reply).toMatchObject({ status: 409, text: expect.stringContaining('can be archived') })
      expect((await ask(other, `${act}/archive`, { campaignId })).status).toBe(404)
      expect((await ask(reseller, `${act}/archive`, { campaignId })).status).toBe(403)
    }
  })
