import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { DialerAddress, TelephonyDriver, Trunk } from '../../../../drivers/telephony/driver.ts'
import { ariSecretPurpose, sipSecretPurpose } from '../../../../modules/dialers/rules-secrets.ts'
import { endLease, updateDialer } from '../../../../modules/dialers/store-dialers.ts'
import { seal } from '../../../../lib/secrets.ts'
import { newLine } from '../../../../testing/seed.ts'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../../testing/fixtures.ts'
import { dialling } from '../../../testing/engine.ts'
import { polling } from '../../../../testing/timeouts.ts'

/** What trunks are and say is in trunks.test.ts beside this, what a test call becomes in server/src/drivers/telephony/suite.ts, which every driver passes. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004 })
/** What each dialer was told, by its port: where it is and its trunks, the newest last. */
const pushed = new Map<number, { address: DialerAddress; trunks: (readonly Trunk[])[] }>()
/** The dialer takes its time to learn of its trunks. */
let mayPush: Promise<unknown> = Promise.resolve()
const watched: TelephonyDriver = {
  name: 'simulator',
  async connect(address) {
    const connection = await at.simulator.connect(address)
    const trunks: (readonly Trunk[])[] = []
    pushed.set(address.port, { address, trunks })
    const setTrunks = connection.setTrunks.bind(connection)
    connection.setTrunks = async (set) => {
      trunks.push(set)
      await mayPush
      return setTrunks(set)
    }
    return connection
  },
}
const engine = at.start({ telephony: [watched] })

const pushedTo = ({ line }: Fixtures) => pushed.get(20_000 + line.dialerId)
const trunkOf = (fixtures: Fixtures) =>
  pushedTo(fixtures)
    ?.trunks.at(-1)
    ?.find(({ name }) => name === trunkName(fixtures.line.trunkId))
const change = (fixtures: Fixtures, set: object) =>
  at.db.updateTable('trunk').set(set).where('id', '=', fixtures.line.trunkId).execute()
const stateOf = ({ line }: Fixtures) =>
  at.db.selectFrom('trunk_state').selectAll().where('trunk_id', '=', line.trunkId).executeTakeFirst()
const faultOf = async ({ line }: Fixtures, fault: 'unreachable' | 'unusable' | null) => {
  const dialer = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', line.dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control(dialer).setTrunkFault(trunkName(line.trunkId), fault)
}
async function tested({ line, users }: Fixtures, asked: { kind: 'ping' | 'call'; phone?: number; asked_at?: Date }) {
  const more = { trunk_id: line.trunkId, dialer_id: line.dialerId, by_user_id: users[0]?.userId ?? 0 }
  const cli = asked.kind === 'call' ? line.cli : null
  const { id } = await at.db
    .insertInto('trunk_test')
    .values({ ...asked, ...more, cli })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = () => at.db.selectFrom('trunk_test').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { row, ended: () => vi.waitFor(async () => expect((await row()).ended_at).not.toBeNull(), polling).then(row) }
}

test('a dialer is reached with its credentials and told of its trunk on connect, and again within seconds when it is changed', async () => {
  const fixtures = await newFixtures(at)
  const access = {
    ari_user: 'ghanti',
    ari_secret_sealed: seal(at.secret, ariSecretPurpose, 'ari word'),
    tls_fingerprint: 'ab'.repeat(32),
    media_url: 'https://calls.example.com',
  }
  await at.db.updateTable('dialer').set(access).where('id', '=', fixtures.line.dialerId).execute()
  await at.db
    .updateTable('dialer_lease')
    .set({ epoch: 5, expires_at: new Date(0) })
    .where('dialer_id', '=', fixtures.line.dialerId)
    .execute()
  await vi.waitFor(
    () =>
      expect(pushedTo(fixtures)?.address).toMatchObject({
        user: 'ghanti',
        secret: 'ari word',
        certificate: 'ab'.repeat(32),
        media: { addressOf: expect.any(Function) },
      }),
    polling, // it may have been reached before it was changed
  )
  await vi.waitFor(
    () => expect(trunkOf(fixtures)).toMatchObject({ host: '', transport: 'udp', codecs: ['alaw', 'ulaw'] }),
    polling,
  )
  await change(fixtures, {
    sip_host: 'sip.ntc.net.np',
    sip_transport: 'tls',
    sip_user: 'line1',
    sip_secret_sealed: seal(at.secret, sipSecretPurpose, 'sip word'),
    cli_format: 'plus',
    cli_header: 'both',
    number_strip: '977',
    number_prefix: '0',
    registers: true,
    sip_options: { srtp: true, dtmf: 'info' },
  })
  await vi.waitFor(
    () =>
      expect(trunkOf(fixtures)).toMatchObject({
        host: 'sip.ntc.net.np',
        port: 5061,
        user: 'line1',
        secret: 'sip word',
        cliFormat: 'plus',
        cliHeader: 'both',
        numberStrip: '977',
        numberPrefix: '0',
        registers: true,
        options: { ...plainSipOptions, srtp: true, dtmf: 'info' },
      }),
    polling,
  )
  await vi.waitFor(
    async () => expect(await stateOf(fixtures)).toMatchObject({ reachable: true, registered: 'registered' }),
    polling,
  )
  const before = pushedTo(fixtures)?.trunks.length
  await change(fixtures, { name: 'Renamed', channels: 3 }) // no matter of the dialer's
  await at.tick(() => true)
  await at.tick(() => true)
  expect(pushedTo(fixtures)?.trunks.length).toBe(before)
})

test(
  'a dialer does not rest before it has the newest settings of its trunks, also when they were changed while others were being sent',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at)
    await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
    let letPush = () => {}
    mayPush = new Promise<void>((resolve) => (letPush = resolve))
    await change(fixtures, { number_prefix: '1' })
    await vi.waitFor(() => expect(trunkOf(fixtures)).toMatchObject({ numberPrefix: '1' }), polling)
    await change(fixtures, { number_prefix: '2' })
    let ticks = 0
    engine.reports.on('tick', ({ dialerId }) => (ticks += Number(dialerId === fixtures.line.dialerId)))
    await vi.waitFor(() => expect(ticks).toBeGreaterThanOrEqual(5), { timeout: 3000, interval: 50 })
    letPush()
    await vi.waitFor(() => expect(trunkOf(fixtures)).toMatchObject({ numberPrefix: '2' }), { timeout: 3000 })
  },
)

test('a password that nobody can open leaves the trunk out, and says so on it; entered anew it works', async () => {
  const fixtures = await newFixtures(at)
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  await change(fixtures, {
    sip_host: 'sip.ntc.net.np',
    sip_user: 'line1',
    sip_secret_sealed: seal(randomBytes(32), sipSecretPurpose, 'x'),
  })
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeUndefined(), polling)
  await vi.waitFor(
    async () => expect((await stateOf(fixtures))?.last_failure).toMatch(/^its password cannot be read/),
    polling,
  )
  await change(fixtures, { sip_secret_sealed: seal(at.secret, sipSecretPurpose, 'y') })
  await vi.waitFor(() => expect(trunkOf(fixtures)).toMatchObject({ secret: 'y' }), polling)
})

test('the state of dialer and trunk is stored: calls, channels, calls per second, how many were answered', async () => {
  const fixtures = await newFixtures(at, { cps: 50 })
  const phones = Array.from({ length: 60 }, (_, i) => 9779800000000 + 100 * i + (i % 3 === 0 ? 1 : 50)) // every third is busy
  const id = await newCampaign(at, {
    user: fixtures.users[0] ?? fixtures.top,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    retries: 0,
    reservePaisa: 40,
  })
  await vi.waitFor(async () => {
    const state = await at.db
      .selectFrom('dialer_state')
      .selectAll()
      .where('dialer_id', '=', fixtures.line.dialerId)
      .executeTakeFirst()
    expect(state).toMatchObject({ reachable: true, reason: null })
    expect(state?.begun).toBeGreaterThan(0)
  }, polling)
  await at.status(id, 'complete')
  await vi.waitFor(
    async () =>
      expect(await stateOf(fixtures)).toMatchObject({
        reachable: true,
        registered: null,
        calls: 0,
        channels: 0,
        begun: 0,
      }),
    polling,
  )
  const { recent } = (await stateOf(fixtures)) ?? { recent: '' }
  expect([recent.length, recent.replaceAll('0', '').length]).toEqual([60, 40])
})

test('a ping says that the operator answers, or that it does not and why, with the name that people gave the trunk', async () => {
  const fixtures = await newFixtures(at)
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  const { name } = await at.db
    .selectFrom('trunk')
    .select('name')
    .where('id', '=', fixtures.line.trunkId)
    .executeTakeFirstOrThrow()
  expect(await (await tested(fixtures, { kind: 'ping' })).ended()).toMatchObject({
    passed: true,
    result: 'it answers after 1 ms',
  })
  await faultOf(fixtures, 'unreachable')
  expect(await (await tested(fixtures, { kind: 'ping' })).ended()).toMatchObject({
    passed: false,
    result: `it does not answer: trunk ${name} does not answer`,
  })
  expect(await (await tested(fixtures, { kind: 'call', phone: 9779841000050 })).ended()).toMatchObject({
    passed: false,
    result: `the call failed: trunk ${name} is unreachable`,
  })
  await vi.waitFor(
    async () =>
      expect(await stateOf(fixtures)).toMatchObject({
        reachable: false,
        last_failure: `trunk ${name} is unreachable`,
      }),
    polling,
  )
})

test.each([
  {
    why: 'somebody answers, and is hung up on soon',
    ends: 50,
    passed: true,
    result: /^answered after \d+\.\d s, lasted (?:[5-9]|\d\d+)\.\d s$/,
  },
  {
    why: 'busy: the trunk works',
    ends: 1,
    passed: true,
    result: /^the trunk carried the call, the number is busy \(SIP 486\)$/,
  },
  {
    why: 'nobody picks up: the trunk works',
    ends: 2,
    passed: true,
    result: /^the trunk carried the call, nobody answered/,
  },
  { why: 'no such number', ends: 4, passed: false, result: /^the operator does not know the number \(SIP 404\)$/ },
  { why: 'declined', ends: 3, passed: false, result: /^the call was refused \(SIP 603\)$/ },
  { why: 'congestion', ends: 6, passed: false, result: /^the call failed: SIP 503$/ },
])('a test call: $why', async ({ ends, passed, result }) => {
  const fixtures = await newFixtures(at)
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  const ended = await (await tested(fixtures, { kind: 'call', phone: 9779841000000 + ends })).ended()
  expect(ended).toMatchObject({ passed, result: expect.stringMatching(result) })
  await vi.waitFor(async () => expect(await stateOf(fixtures)).toMatchObject({ calls: 0, channels: 0 }), polling)
})

test('a test call waits for no channel that is not there, and one that was asked for too long ago rings nobody', async () => {
  const fixtures = await newFixtures(at)
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  const late = await tested(fixtures, { kind: 'call', phone: 9779841000050, asked_at: new Date(Date.now() - 11_000) })
  await at.db.updateTable('dialer').set({ channel_reduction: 0 }).where('id', '=', fixtures.line.dialerId).execute()
  const ended = await (await tested(fixtures, { kind: 'call', phone: 9779841000050 })).ended()
  expect(ended).toMatchObject({ passed: false, result: 'all channels of the trunk or its dialer are busy' })
  expect(await late.row()).toMatchObject({ taken_at: null, ended_at: null })
})

test(
  'when a dialer’s credentials change while calls are up, its engine connects anew with them, adopts the calls and rings nobody twice',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 40 })
    await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
    const phones = Array.from({ length: 300 }, (_, i) => 9779810000000 + 100 * i + 50)
    const { user } = fixtures
    const id = await newCampaign(at, {
      user,
      line: fixtures.line,
      phones,
      flow: at.flow(0),
      retries: 0,
      reservePaisa: 40,
    })
    const inCall = async () => (await counts(at, id))['in_call'] ?? 0
    await vi.waitFor(async () => expect(await inCall()).toBeGreaterThan(0), polling)
    const access = { ari_user: 'other', ari_secret_sealed: seal(at.secret, ariSecretPurpose, 'other word') }
    await at.db.transaction().execute(async (tx) => {
      await updateDialer(tx, fixtures.line.dialerId, access)
      await endLease(tx, fixtures.line.dialerId)
    })
    await vi.waitFor(() => expect(pushedTo(fixtures)?.address.secret).toBe('other word'), polling)
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ answered: 300, done: 300, attempts: 300 })
    await expectSoundBooks(at)
  },
)

test('a campaign over a trunk that its dialer does not know yet waits for it and says so: nothing is held, nobody’s attempt is used up', async () => {
  const fixtures = await newFixtures(at, { cps: 40 })
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  let letPush = () => {}
  mayPush = new Promise<void>((resolve) => (letPush = resolve))
  const line = await newLine(at, { holders: fixtures.users, dialerId: fixtures.line.dialerId, channels: 60, cps: 40 })
  const { user } = fixtures
  const phones = Array.from({ length: 20 }, (_, i) => 9779820000000 + 100 * i + 46)
  const id = await newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })
  const reported = await at.tick(({ campaigns }) =>
    campaigns.some(({ campaignId, reason }) => campaignId === id && reason !== null),
  )
  expect(reported.campaigns.find(({ campaignId }) => campaignId === id)).toMatchObject({
    status: 'running',
    did: 'wait',
    reason: expect.stringMatching(/^trunk .+ is being set up on dialer .+$/),
  })
  letPush()
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 20, done: 20, attempts: 20 })
  const { trunkId } = line
  expect(
    await at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', trunkId).executeTakeFirst(),
  ).toBeUndefined()
})

test('a trunk that cannot be used as it is set holds its campaigns with the reason, without a call, and lets them go when it can', async () => {
  const fixtures = await newFixtures(at, { cps: 40 })
  await vi.waitFor(() => expect(trunkOf(fixtures)).toBeDefined(), polling)
  await faultOf(fixtures, 'unusable')
  const unusable = async () => (await stateOf(fixtures))?.unusable
  await vi.waitFor(async () => expect(await unusable()).toMatch(/^the dialer does not take its settings/), polling)
  const { user } = fixtures
  const phones = Array.from({ length: 20 }, (_, i) => 9779830000000 + 100 * i + 46)
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    retries: 0,
    reservePaisa: 40,
  })
  await at.status(id, 'onHold')
  const held = await at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(held).toMatchObject({
    hold_cause: 'trunk',
    reason: expect.stringMatching(/^trunk Trunk \d+ cannot be used: the dialer does not take its settings/),
  })
  expect((await counts(at, id))['attempts']).toBe(0)
  await faultOf(fixtures, null)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 20, done: 20, attempts: 20 })
  await vi.waitFor(async () => expect(await unusable()).toBeNull(), polling)
})
