// @module-tag exhaustive
/** A campaign on a distant dialer: every byte of ARI, events included, takes 60 ms in each direction. */
import { afterAll, expect, test } from 'vitest'
import { Proxy } from '../server/src/testing/proxy.ts'
import { expectSoundFiles, newCampaign } from '../server/src/voice/testing/fixtures.ts'
import { attemptsOf, callsIn, expectNobodyTwice, expectNothingLeft } from './call-log-checks.ts'
import { sipBench } from './testing.ts'

const cps = 10
const calls = 80
const delayMs = 60
const suffixes = ['46', '99', '46', '01', '46', '09', '46', '48']
const at = await sipBench()
const proxy = await Proxy.to(at.own.dialer, delayMs)
afterAll(() => proxy.close())

test('it dials at the rate that the trunk allows, nobody twice, and claims no call that cannot be sent in time', async () => {
  const fixtures = await at.fixtures({ cps, channels: 100, port: proxy.port })
  const { user } = fixtures
  const phones = Array.from(
    { length: calls },
    (_, n) => 9779800000000 + 100 * n + Number(suffixes[n % suffixes.length]),
  )
  const id = await newCampaign(at, { user, line: fixtures.line, retries: 0, phones, flow: at.flow(0) })
  at.dial()
  const campaign = () => at.db.selectFrom('campaign').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  await at.until('the campaign is complete', async () => (await campaign()).status === 'complete')
  const state = await at.db.selectFrom('dialer_state').select('round_trip_ms').executeTakeFirstOrThrow()
  expect(state.round_trip_ms).toBeGreaterThanOrEqual(2 * delayMs)

  const attempts = await attemptsOf(at, [id])
  expect(attempts.map(({ disposition }) => disposition)).not.toContain('CANCEL')
  expect(attempts.map(({ phone }) => phone).toSorted()).toEqual(phones)
  const heard = callsIn(at.sipp.operator.log())
  expect(heard.map(({ number }) => Number(number)).toSorted()).toEqual(phones)
  expectNobodyTwice(heard)
  const times = heard.map((one) => one.at)
  const perSecond = (calls - 1) / ((Math.max(...times) - Math.min(...times)) / 1000)
  expect(perSecond).toBeGreaterThan(0.7 * cps) // 8.9 while three others tested on two cores; the trunk alone allows 10
  await expectNothingLeft(at)
  await expectSoundFiles(at)
}, 120_000)
