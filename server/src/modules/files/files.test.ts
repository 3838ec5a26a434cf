import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { lexicon } from '@ghanti/callflow/speech/lexicon.ts'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { bytesOfMegabyte, defaultQuotas, type Stored } from '@ghanti/contract/quotas.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { withHeader } from '../../audio/wav.ts'
import type { Viewer } from '../../policy.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { heavyPicture } from '../../testing/files/picture.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'

const app = await testApp()
let servers: FastifyInstance[]
let boss: Viewer
let planId: number
beforeAll(async () => {
  // Two API processes share nothing but the database and the folder of files.
  servers = [await testHttp(app), await testHttp({ ...app } as TestApp)]
  boss = await newSuperAdmin(app)
  planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 40 })
})
let reseller: Viewer
let user: Viewer
let ownPlan: number
beforeEach(async () => {
  await app.db.transaction().execute((tx) => changeSetting(tx, 'quotas', { ...defaultQuotas, megabytes: 1 }, null))
  reseller = await newReseller(app, { parent: boss, planId, channels: 1000 })
  user = await newUser(app, { parent: reseller, planId })
  ownPlan = await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 })
})

type Fields = Record<string, string | File>
async function post(viewer: Viewer, path: string, fields: Fields, nth = 0) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const http = servers[nth % servers.length]
  if (!http) throw new Error('no server')
  const reply = await http.inject({
    method: 'POST',
    url: path.startsWith('/') ? path : `/api/obd/${path}`,
    headers,
    payload,
  })
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}
async function call(viewer: Viewer, method: 'GET' | 'DELETE' | 'POST', path: string, payload?: object) {
  const headers = await signedIn(app, viewer)
  return servers[0]?.inject({ method, url: `/api/obd/${path}`, headers, ...(payload && { payload }) })
}
async function onDisk(): Promise<{ files: number; bytes: number }> {
  const sizes = await Promise.all((await Array.fromAsync(app.files.all())).map((hash) => app.files.sizeOf(hash)))
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
const used = async ({ userId }: Viewer) =>
  (await call(boss, 'GET', `quotas/${userId}`))?.json<{ used: Stored }>().used ?? expect.fail('no answer')

/** Noise, which no two calls share. */
function noise(seconds: number): Buffer {
  const samples = new Int16Array(seconds * telephoneRate)
  const bytes = randomBytes(samples.length)
  for (const [n, byte] of bytes.entries()) samples[n] = (byte - 128) * 80
  return Buffer.from(withHeader(samples))
}
const wav = (seconds: number) => new File([new Uint8Array(noise(seconds))], 'noise.wav', { type: 'audio/wav' })
const contacts = (bytes: number) =>
  new File([`9841000001,${randomUUID()}\n${' '.repeat(999)}\n`.padEnd(bytes, `${' '.repeat(999)}\n`)], 'a.csv')
const keys = lexicon.ne.map(({ key }) => key)
async function zipOfWords(count: number, seconds: number): Promise<File> {
  const zip = new ZipFile()
  for (const key of keys.slice(0, count)) zip.addBuffer(noise(seconds), `${key}.wav`)
  zip.end()
  return new File([new Uint8Array(await buffer(zip.outputStream))], 'words.zip', { type: 'application/zip' })
}
const person = (more: Record<string, string> = {}) => ({
  name: 'Maya Lama',
  emailid: 'maya@example.com',
  number: '9841000009',
  company: 'Lama Tea',
  address: 'Ilam',
  pincode: '57300',
  accountType: '0',
  userType: 'user',
  expiryDate: '2099-12-31',
  ...more,
})
async function newPack(viewer: Viewer): Promise<number> {
  const reply = await call(viewer, 'POST', 'voice-pack', { name: randomUUID(), language: 'ne' })
  return reply?.json<{ packId: number }>().packId ?? 0
}
async function newBase(bytes: number): Promise<number> {
  const { body } = await post(user, 'baseupload', { baseName: randomUUID(), baseFile: contacts(bytes) })
  return Number(body['baseId'])
}

describe('a refused request leaves no file', () => {
  const taken = 'calls.taken.example'
  beforeAll(async () => {
    const owner = await newReseller(app, { parent: boss })
    await post(owner, 'brand', { company: 'First', domain: taken })
    const waiting = await call(boss, 'GET', `brand/domains?search=${taken}`)
    const [domain] = waiting?.json<{ domainId: number }[]>() ?? []
    await call(boss, 'POST', 'brand/domain/confirm', { domainId: domain?.domainId })
  })

  test.each([
    {
      what: 'a brand whose domain is another account’s',
      send: () => post(reseller, 'brand', { company: 'Voice', domain: taken, logo: heavyPicture(50_000) }),
    },
    {
      what: 'an account that may not be changed',
      send: () => post(user, 'user/update', { userId: '1', ...person(), logo: heavyPicture(50_000) }),
    },
    {
      what: 'an account with a domain that is another’s',
      send: () =>
        post(reseller, 'user/update', {
          userId: String(user.userId),
          ...person({ domain: taken }),
          logo: heavyPicture(50_000),
        }),
    },
    {
      what: 'a voice pack that was deleted meanwhile',
      send: async () => {
        const packId = await newPack(user)
        const { execute } = await holding(packId)
        const sent = post(user, 'voice-pack/upload', { packId: String(packId), voiceFile: await zipOfWords(3, 1) })
        await execute()
        return sent
      },
    },
    {
      what: 'a voice file whose name is taken',
      send: async () => {
        const fields = () => ({ fileName: 'same', promptCategory: 'menu', waveFile: wav(1) })
        const both = await Promise.all([0, 1].map((nth) => post(user, 'promptupload', fields(), nth)))
        const kept = (await promptFiles()).size
        expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
        return { ...both.find(({ status }) => status === 409), kept }
      },
    },
  ])('$what', { timeout: 90_000 }, async ({ send }) => {
    const before = await onDisk()
    const { status, kept = 0 } = (await send()) as { status: number; kept?: number }
    expect(status).toBeGreaterThanOrEqual(400)
    expect((await onDisk()).files).toBe(before.files + kept)
  })

  /** Deletes the pack while an upload to it waits. */
  async function holding(packId: number) {
    const locked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const done = app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('voice_pack').select('id').where('id', '=', packId).forUpdate().execute()
      locked.resolve()
      await go.promise
      await tx.deleteFrom('voice_pack').where('id', '=', packId).execute()
    })
    await locked.promise
    const waits = async () => {
      const { rows } = await app.pool.query<{ n: number }>('select count(*)::int as n from pg_locks where not granted')
      return rows[0]?.n ?? 0
    }
    return {
      execute: async () => {
        await expect
          .poll(waits, { timeout: 30_000 })
          .toBeGreaterThan(0)
          .finally(() => go.resolve())
        await done
      },
    }
  }
  async function promptFiles(): Promise<Set<string>> {
    const rows = await app.db
      .selectFrom('prompt')
      .select(['wav_hash', 'original_hash'])
      .where('owner_id', '=', user.userId)
      .execute()
    return new Set(rows.flatMap(({ wav_hash, original_hash }) => [wav_hash, original_hash]))
  }
})

describe('what was replaced or deleted goes at once, with its bytes', () => {
  test.each([
    {
      what: 'logos of a brand',
      again: () => post(reseller, 'brand', { company: 'Voice', logo: heavyPicture(50_000) }),
    },
    {
      what: 'logos that the account above sends',
      again: () =>
        post(reseller, 'user/update', { userId: String(user.userId), ...person(), logo: heavyPicture(50_000) }),
    },
    {
      what: 'rows added to a contact file',
      again: async (first: unknown) => {
        const baseId = first ?? (await newBase(20_000))
        const number = `98${String(Math.random()).slice(2, 10)}`
        return { ...(await post(user, 'base/add', { baseId: String(baseId), contactList: number })), baseId }
      },
    },
    {
      what: 'words of a voice pack',
      again: async (first: unknown) => {
        const packId = first ?? (await newPack(user))
        const sent = await post(user, 'voice-pack/upload', {
          packId: String(packId),
          voiceFile: await zipOfWords(4, 1),
        })
        return { ...sent, baseId: packId }
      },
    },
    {
      what: 'voice files that are deleted',
      again: async () => {
        const sent = await post(user, 'promptupload', {
          fileName: randomUUID(),
          promptCategory: 'menu',
          waveFile: wav(1),
        })
        const gone = await call(user, 'DELETE', `prompt/${String(sent.body['promptId'])}`)
        expect(gone?.statusCode).toBe(200)
        return sent
      },
    },
  ])('$what', { timeout: 60_000 }, async ({ again }) => {
    const first = (await again(undefined)) as { status: number; baseId?: unknown }
    expect(first.status).toBe(200)
    const { files, bytes } = await onDisk()
    for (let n = 0; n < 4; n++) expect(((await again(first.baseId)) as { status: number }).status).toBe(200)
    const after = await onDisk()
    expect(after.files).toBe(files)
    expect(Math.abs(after.bytes - bytes)).toBeLessThan(1000)
  })

  test('words that are rejected, replaced by approved ones or deleted, and packs', async () => {
    const packId = await newPack(user)
    const before = await onDisk()
    const send = async () =>
      expect(
        await post(user, 'voice-pack/upload', { packId: String(packId), voiceFile: await zipOfWords(3, 1) }),
      ).toMatchObject({ status: 200 })
    const decide = async (decision: 'approve' | 'reject') => {
      const detail = await call(boss, 'GET', `voice-pack/${packId}`)
      const { change } = detail?.json<{ change: number }>() ?? { change: 0 }
      expect((await call(boss, 'POST', `voice-pack/${decision}/${packId}`, { change }))?.statusCode).toBe(200)
    }
    const files = async () => (await onDisk()).files - before.files
    await send()
    await decide('reject')
    expect(await files()).toBe(0)
    await send()
    await decide('approve')
    await send()
    expect(await files()).toBe(6)
    await decide('approve')
    expect(await files()).toBe(3)
    expect((await used(user)).bytes).toBe(3 * (44 + 2 * telephoneRate))
    await call(user, 'DELETE', 'voice-pack/word', { packId, key: keys[0] })
    expect(await files()).toBe(2)
    await call(user, 'DELETE', `voice-pack/${packId}`)
    expect([await files(), (await used(user)).bytes]).toEqual([0, 0])
  })

  test('a logo whose account is deleted', async () => {
    const before = await onDisk()
    const child = await newUser(app, { parent: reseller, planId })
    await post(reseller, 'user/update', { userId: String(child.userId), ...person(), logo: heavyPicture(50_000) })
    expect((await used(reseller)).bytes).toBeGreaterThan(50_000)
    expect((await call(reseller, 'DELETE', `user/${child.userId}?parent=${reseller.userId}`))?.statusCode).toBe(200)
    expect([(await onDisk()).files, (await used(reseller)).bytes]).toEqual([before.files, 0])
  })
})

describe('a flood of files at two API processes ends at the quota', () => {
  type Flood = {
    what: string
    /** Contact files and logos, of which one is of the sender and one of another account, take all ways that the others take. */
    isAnother?: true
    viewer: () => Viewer
    requests: number
    send: (nth: number) => ReturnType<typeof post>
  }
  const floods: readonly Flood[] = [
    {
      what: 'accounts with logos',
      viewer: () => reseller,
      requests: 8,
      send: (nth: number) =>
        post(
          reseller,
          'register1',
          {
            ...person({
              username: `u${randomUUID().slice(0, 12)}`,
              password: 'marigold tunnel kite 7',
              planId: String(ownPlan),
            }),
            parent: String(reseller.userId),
            channels: '1',
            logo: heavyPicture(300_000),
          },
          nth,
        ),
    },
    {
      what: 'voice packs',
      isAnother: true,
      viewer: () => user,
      requests: 8,
      send: async (nth: number) => {
        const packId = await newPack(user)
        return post(user, 'voice-pack/upload', { packId: String(packId), voiceFile: await zipOfWords(8, 4) }, nth)
      },
    },
    {
      what: 'voice files',
      isAnother: true,
      viewer: () => user,
      requests: 10,
      send: (nth: number) =>
        post(user, 'promptupload', { fileName: randomUUID(), promptCategory: 'menu', waveFile: wav(8) }, nth),
    },
    {
      what: 'contact files',
      viewer: () => user,
      requests: 10,
      send: (nth: number) => post(user, 'baseupload', { baseName: randomUUID(), baseFile: contacts(300_000) }, nth),
    },
    {
      what: 'pasted numbers',
      isAnother: true,
      viewer: () => user,
      requests: 10,
      send: (nth: number) => post(user, 'contactlist', { contactList: contacts(300_000) }, nth),
    },
    {
      what: 'files for messages',
      isAnother: true,
      viewer: () => user,
      requests: 10,
      send: (nth: number) => post(user, '/fileupload.php', { smsBaseFile: contacts(400_000) }, nth),
    },
  ]
  async function expectQuota({ viewer, requests, send }: Flood): Promise<void> {
    const before = await onDisk()
    // Half of them at once: two that would both have passed the check alone are counted one after the other.
    const replies = await Promise.all(Array.from({ length: requests / 2 }, (_, nth) => send(nth)))
    for (let nth = 0; nth < requests / 2; nth++) replies.push(await send(nth))
    const { bytes } = await used(viewer())
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(bytesOfMegabyte)
    expect((await onDisk()).bytes - before.bytes).toBeLessThanOrEqual(bytesOfMegabyte)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.find(({ status }) => status !== 409)).toBeUndefined()
    expect(refused[0]?.body['errors']).toMatchObject([{ code: 'quota' }])
  }
  test.each(floods.filter(({ isAnother }) => !isAnother))('$what', { timeout: 90_000 }, expectQuota)
  test.each(floods.filter(({ isAnother }) => isAnother))(
    '$what',
    { timeout: 90_000, tags: ['exhaustive'] },
    expectQuota,
  )
})
