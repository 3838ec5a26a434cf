// @module-tag exhaustive
/** The notice before recordings, over Asterisk: the operator's recordings show that customer and agent hear it, and our recording starts after it. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import { espeakTts } from '../server/src/drivers/tts/espeak.ts'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { changeSetting } from '../server/src/modules/platform/actions.ts'
import { attemptsOf, expectNothingLeft } from './call-log-checks.ts'
import { hasPartOf, heardBy, heardInOrder, secondsOfSound } from './heard.ts'
import { sipBench, skewMs } from './testing.ts'

const at = await sipBench()

/** 36 records what it hears, 99 is silent until the other side hangs up, 37 speaks and hangs up after 10 s. */
const calls = [
  { who: 'the customer', keeps: '9841736136', agent: '+9779841736199', customer: 9_779_841_736_136 },
  { who: 'the agent', keeps: '9841736236', agent: '+9779841736236', customer: 9_779_841_736_299 },
  { who: 'who is recorded', keeps: null, agent: '+9779841736337', customer: 9_779_841_736_399 },
] as const

/** Turns the notice on. Both languages have the same sound, so that either is recognised. */
async function noticeIsOn(): Promise<{ wav: Buffer; durationMs: number; hash: string }> {
  const { wav, durationMs } = await espeakTts().synthesise('This conversation will be recorded from now on', 'en')
  const hash = await at.files.putBytes(wav)
  for (const language of ['ne', 'en'])
    await at.pool.query(
      `insert into recording_notice (language, file_hash, duration_ms, changed_by) values ($1, $2, $3, (select min(id) from users))`,
      [language, hash, durationMs],
    )
  await at.db.transaction().execute((tx) => changeSetting(tx, 'recordingNotice', true, null))
  return { wav: Buffer.from(wav), durationMs, hash }
}

const over = async () =>
  (await at.db.selectFrom('campaign').select('id').where('status', 'in', ['complete', 'cancelled']).execute()).map(
    ({ id }) => id,
  )

async function begun(
  { user, line }: Fixtures,
  { agent, customer }: { agent: string; customer: number },
): Promise<number> {
  const flow = connectFlow({ agent, customer: `+${customer}` })
  const of = { user, line, flow, phones: [customer], retries: 0, reservePaisa: 1000, status: 'paused' as const }
  const id = await newCampaign(at, of)
  const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  return id
}

test('both hear the notice when they are joined, and the recording begins after it', async () => {
  const fixtures = await at.fixtures({ cps: 10, channels: 50 })
  const { operator } = at.own
  const keeping = { sip_host: operator.host, sip_port: operator.port }
  await at.db.updateTable('trunk').set(keeping).where('id', '=', fixtures.line.trunkId).execute()
  const notice = await noticeIsOn()
  at.dial()
  // A dialer without a campaign gets no sounds, hence this one, whose agent is busy.
  const first = await begun(fixtures, { agent: '+9779841736101', customer: 9_779_841_736_199 })
  await at.until('the notice is on the dialer', async () =>
    fs.existsSync(path.join(at.mediaFolder, `${notice.hash}.wav`)),
  )
  await at.until('the first is over', async () => (await over()).includes(first))
  const ids = await Promise.all(calls.map((call) => begun(fixtures, call)))
  const [, , last] = ids
  await at.until('whoever speaks has hung up', async () => (await over()).includes(last ?? 0))
  const stopped = { status: 'cancelling' as const, end_now: true }
  await at.db
    .updateTable('campaign')
    .set(stopped)
    .where('id', 'in', ids)
    .where('id', '<>', last ?? 0)
    .execute()
  await at.until('all are over', async () => (await over()).length === ids.length + 1)
  const recorded = () => at.db.selectFrom('recording').selectAll().where('campaign_id', 'in', ids).execute()
  await at.until('the recordings are brought', async () => (await recorded()).length === ids.length)
  const attempts = await attemptsOf(at, ids)
  for (const [n, { who, keeps }] of calls.entries()) {
    const attempt = attempts.find(({ campaign_id: id }) => id === ids[n])
    const recording = (await recorded()).find(({ campaign_id: id }) => id === ids[n])
    if (!attempt || !recording) throw new Error(`no call or no recording: ${who}`)
    const sound = fs.readFileSync(await at.files.pathOf(recording.file_hash))
    expect(hasPartOf(sound, notice.wav), 'the notice is not in the recording').toBe(false)
    if (keeps === null) expect(secondsOfSound(sound), 'what was said after it is').toBeGreaterThan(1)
    // The operator may still be writing what it recorded.
    else {
      const heard = () => heardInOrder(heardBy(at.own.operatorCalls, keeps), [notice.wav])
      await expect.poll(heard, { message: `${who} hears it`, interval: 500 }).toEqual([true])
    }
    const talkMs = Math.min(attempt.bill_ms ?? 0, attempt.patch_bill_ms ?? 0)
    expect(recording.duration_ms).toBeLessThan(talkMs - notice.durationMs + skewMs / 4)
    expect(attempt).toMatchObject({ disposition: 'ANSWER', recording: recording.id, uncollected_paisa: 0 })
  }
  expect(await at.db.selectFrom('recording_withheld').selectAll().execute()).toEqual([])
  await expectSoundFiles(at)
  await expectNothingLeft(at)
}, 240_000)
