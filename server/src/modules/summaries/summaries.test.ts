import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { pictureFile } from '../../testing/files/picture.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { brandOfAccount } from '../branding/actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller })
})

const url = (campaignId: number, file: string) => `/api/obd/campaign/summary/${campaignId}/${file}`
const get = async (viewer: Viewer, path: string) => http.inject({ url: path, headers: await signedIn(app, viewer) })

async function called(owner: Viewer, name: string): Promise<number> {
  const campaignId = await newCampaign(app, owner, { status: 'complete', rows: 3, name })
  const flow = JSON.stringify(consultancy.build(fullInput))
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  await app.db
    .updateTable('campaign_progress')
    .set({ attempts: 4, answered: 2, pulses: 5, cost_paisa: 12_345, outcomes: JSON.stringify({ ANSWER: 2, BUSY: 2 }) })
    .where('campaign_id', '=', campaignId)
    .execute()
  return campaignId
}
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

describe('the summary of a campaign', () => {
  test('is a PDF of one page in either language, and a line of a table with the same figures', async () => {
    const campaignId = await called(user, 'दशैँ Dashain')
    for (const query of ['', '?language=ne', '?language=en&calendar=bs']) {
      const pdf = await get(user, url(campaignId, `summary.pdf${query}`))
      expect(pdf.statusCode, pdf.body.slice(0, 200)).toBe(200)
      expect(pdf.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
      expect(pdf.headers['content-disposition']).toMatch(/^attachment; .*Dashain%20\d{4}-\d\d-\d\d\.pdf/)
      expect(pdf.rawPayload.toString('latin1', 0, 5)).toBe('%PDF-')
      expect(pagesOf(pdf.rawPayload)).toBe(1)
    }
    const csv = await get(user, url(campaignId, 'summary.csv'))
    const [line] = parse<Record<string, string>>(csv.body, { bom: true, columns: true })
    expect(line).toMatchObject({ 'Campaign Name': 'दशैँ Dashain', 'Calls Made': '4', 'Cost (Rs)': '123.45', Busy: '2' })
  })

  test('is read by its owner and the accounts above; others find nothing', async () => {
    const campaignId = await called(user, 'Mine')
    for (const viewer of [user, reseller, boss])
      expect((await get(viewer, url(campaignId, 'summary.csv'))).statusCode).toBe(200)
    for (const stranger of [await newUser(app), await newReseller(app)])
      for (const file of ['summary.pdf', 'summary.csv'])
        expect((await get(stranger, url(campaignId, file))).statusCode).toBe(404)
    expect((await get(user, url(999_999, 'summary.pdf'))).statusCode).toBe(404)
    expect((await get(user, url(campaignId, 'summary.pdf?language=fr'))).statusCode).toBe(400)
  })

  test('of one that its owner deleted is not made any more', async () => {
    const campaignId = await called(user, 'Gone')
    await app.db
      .insertInto('campaign_deleted')
      .values({ campaign_id: campaignId, by_user_id: user.userId, asked_at: new Date() })
      .execute()
    expect((await get(user, url(campaignId, 'summary.pdf'))).statusCode).toBe(409)
  })

  test('carries the brand of the nearest account above; a logo that cannot be drawn is left out', async () => {
    const campaignId = await called(user, 'Branded')
    const save = async (bytes: Buffer, type: string) => {
      const hash = await app.files.putBytes(bytes)
      const logo = { logo_hash: hash, logo_type: type, logo_bytes: bytes.length, logo_sender: reseller.userId }
      const look = { company: 'Himal Voice', ...logo, primary_colour: '#8a1c4a' }
      await app.db
        .insertInto('branding')
        .values({ user_id: reseller.userId, ...look })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(look))
        .execute()
    }
    const png = Buffer.from(await pictureFile('logo.png', 200, 80).arrayBuffer())
    await save(png, 'image/png')
    const brand = await brandOfAccount(app, user.userId)
    expect(brand).toMatchObject({ company: 'Himal Voice', colour: '#8a1c4a' })
    expect(brand.logo).toHaveLength(png.length)
    const withLogo = (await get(user, url(campaignId, 'summary.pdf'))).rawPayload
    expect(withLogo.toString('latin1')).toContain('/Subtype /Image')
    const damaged = Buffer.from(png)
    damaged.fill(0x55, 60, 90)
    for (const [bytes, type] of [
      [damaged, 'image/png'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]), 'image/jpeg'],
      [png, 'image/webp'],
    ] as const) {
      await save(bytes, type)
      const without = await get(user, url(campaignId, 'summary.pdf'))
      expect(without.statusCode, type).toBe(200)
      expect(without.rawPayload.toString('latin1')).not.toContain('/Subtype /Image')
    }
  })
})
