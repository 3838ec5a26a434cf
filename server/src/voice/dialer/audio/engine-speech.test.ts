import { partsOf } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import { HummingTts } from '../../../testing/tts.ts'
import { expectSoundBooks } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'
import { tenDates } from '../../testing/speech.ts'

const at = await dialling({ speed: 5, timeScale: 0.001 })
const speech = { db: at.db, files: at.files, tts: new HummingTts() }

test('an engine that comes in the middle of calls says what their rows say; none goes unheard', async () => {
  const { fixtures, flow, id } = await tenDates(at)
  const first = at.start({ speech })
  const answered = async () => (await at.db.selectFrom('attempt_step').select('attempt_id').execute()).length
  while ((await answered()) < 10) await at.tick(() => true)
  await first.stop({ drainMs: 0 })
  const open = await at.db.selectFrom('attempt_open').select('id').execute()
  expect(open.length).toBeGreaterThan(0)
  const prefix = (await at.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id
  const second = at.start({ engineId: 'second', speech })
  await at.status(id, 'complete')
  const { host, port } = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  const prompts = new Set(partsOf(flow).flatMap((part) => (part.kind === 'prompt' ? [part.hash] : [])))
  const { rows } = await at.pool.query<{ id: number; epoch: number; unheard: boolean; said: string }>(
    `select a.id, a.epoch, a.unheard, s.file_hash as said from attempt a join contact_speech r using (campaign_id, no)
    join speech_sound s on s.id = r.sounds[1] where campaign_id = $1`,
    [id],
  )
  expect(rows).toHaveLength(10)
  for (const { epoch, unheard, said, ...attempt } of rows) {
    const transcript = await at.simulator.control({ host, port }).transcript(`${prefix}-${epoch}-${attempt.id}-c`)
    const heard = transcript.flatMap((line) => (line.what === 'heard' ? [line.detail] : []))
    expect(unheard).toBe(false)
    // only its own value, even at the last retry
    expect(new Set(heard.filter((hash) => !prompts.has(hash)))).toEqual(new Set([said]))
    expect(heard.at(-2)).toBe(said)
  }
  await second.stop({ drainMs: 0 })
  await expectSoundBooks(at)
})
