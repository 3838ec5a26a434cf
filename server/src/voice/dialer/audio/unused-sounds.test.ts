import { expect, test } from 'vitest'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead } from '../../testing/engine.ts'
import { unusedSounds } from './unused-sounds.sql.ts'

const at = await dialling({ speed: 100, timeScale: 0.01 })
const hashOf = (n: number): string => String(n).padStart(64, '0')

async function newPrompt(ownerId: number, hash: string): Promise<number> {
  const { id } = await at.db
    .insertInto('prompt')
    .values({
      owner_id: ownerId,
      name: `Prompt ${hash}`,
      category: 'welcome',
      status: 'approved',
      account_type: 'transactional',
      wav_hash: hash,
      original_hash: hash,
      duration_ms: 1000,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a sound is used by a prompt, a spoken value, a word of a voice, and a campaign that may still call; by nothing else', async () => {
  const fixtures = await newFixtures(at)
  const { user } = fixtures
  const [prompt, deleted, spoken, word, pending, playing, played, nobodys] = Array.from({ length: 8 }, (_, n) =>
    hashOf(n),
  )
  const flow = (hash: string) =>
    at.flow(0, { prompts: { welcome: { kind: 'prompt', promptId: 1, durationMs: 1000, hash } } })
  await newPrompt(user.userId, prompt ?? '')
  const gone = await newPrompt(user.userId, deleted ?? '')
  await at.db.updateTable('prompt').set({ deleted_at: new Date() }).where('id', '=', gone).execute()
  await at.db
    .insertInto('speech_sound')
    .values({ voice: 'test', text: 'five rupees', file_hash: spoken ?? '', duration_ms: 900 })
    .execute()
  const pack = await at.db
    .insertInto('voice_pack')
    .values({ owner_id: user.userId, name: 'Pack', language: 'en' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await at.db
    .insertInto('voice_pack_word')
    .values([
      { pack_id: pack.id, key: 'one', wav_hash: word ?? '', duration_ms: 400 },
      { pack_id: pack.id, key: 'two', pending_hash: pending ?? '', pending_ms: 400 },
    ])
    .execute()
  for (const [hash, status] of [
    [playing, 'paused'],
    [played, 'complete'],
  ] as const)
    await newCampaign(at, { user, line: fixtures.line, phones: [], status, flow: flow(hash ?? '') })
  const hashes = [prompt, deleted, spoken, word, pending, playing, played, nobodys].map((hash) => hash ?? '')
  expect((await unusedSounds(at.engine, hashes)).toSorted()).toEqual([deleted, played, nobodys])
})

test('the engine of a dialer asks for what lies there and takes away what nobody uses', async () => {
  const fixtures = await newFixtures(at)
  await newPrompt(fixtures.top.userId, hashOf(100))
  const asked = Promise.withResolvers<readonly string[]>()
  const tidySounds: DialerConnection['tidySounds'] = async (unusedOf) => {
    const unused = await unusedOf([hashOf(100), hashOf(101)])
    asked.resolve(unused)
    return [...unused]
  }
  at.start({ telephony: [instead(at.simulator, () => ({ tidySounds }))] })
  expect(await asked.promise).toEqual([hashOf(101)])
})
