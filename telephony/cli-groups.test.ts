// @module-tag exhaustive
/** A campaign of a caller ID group over Asterisk: the operator is shown the caller ID of each attempt, and the same one when a number is called again. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { newGroup } from '../server/src/voice/testing/cli-groups.ts'
import { expectSoundBooks, newCampaign } from '../server/src/voice/testing/fixtures.ts'
import { attemptsOf } from './call-log-checks.ts'
import { startWitness } from './sipp/witness.ts'
import { sipBench } from './testing.ts'

const at = await sipBench()

test('From and P-Asserted-Identity of each INVITE name the caller ID that the attempt says; a number sees the same one again', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-groups-'))
  const operator = await startWitness(folder)
  at.atEnd(async () => {
    await operator.end()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const fixtures = await at.fixtures({ cps: 20, channels: 50 })
  const { user, line } = fixtures
  const seen = { sip_host: operator.host, sip_port: operator.port, cli_header: 'both' } as const
  await at.db.updateTable('trunk').set(seen).where('id', '=', line.trunkId).execute()
  const group = await newGroup(at, fixtures, { size: 3 })
  const phones = Array.from({ length: 12 }, (_, n) => 9_779_843_000_074 + 100 * n) // 74 answers
  const of = { user, line: { ...line, cliId: group.cliId }, phones, flow: at.flow(0), retries: 0, reservePaisa: 1000 }
  const ids = [await newCampaign(at, of), await newCampaign(at, of)]
  at.dial()
  const over = () => at.db.selectFrom('campaign').select('id').where('status', '=', 'complete').execute()
  await at.until('both campaigns are complete', async () => (await over()).length === 2)
  const numberOf = new Map(group.members.map(({ cliId, cli }) => [cliId, cli]))
  const said = (await attemptsOf(at, ids)).map(({ phone, cli_id: cliId }) => `${phone} ${numberOf.get(cliId ?? 0)}`)
  expect(said).toHaveLength(24)
  expect(new Set(said).size).toBe(12)
  expect(new Set(said.map((one) => one.split(' ')[1])).size).toBe(3)
  const invites = operator.messages().filter((one) => one.startsWith('INVITE '))
  const userIn = (message: string, header: string): string | undefined =>
    new RegExp(`^${header}:.*?<sip:(\\d+)@`, 'im').exec(message)?.[1]
  for (const header of ['From', 'P-Asserted-Identity']) {
    const shown = invites.map((one) => `${/^INVITE sip:(\d+)@/.exec(one)?.[1]} ${userIn(one, header)}`)
    expect(new Set(shown), header).toEqual(new Set(said))
  }
  await expectSoundBooks(at)
}, 240_000)
