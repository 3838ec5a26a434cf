import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { testLog } from '../../testing/log.ts'
import { LeaseHolder, type LeaseOptions } from './lease-holder.ts'

/** A lease whose lock, renewals and dialer a test decides about. */
async function leased(of: { hearsOfOthers?: () => boolean; leaseMs?: number } = {}) {
  const regained = new EventEmitter<{ regained: [] }>()
  const liveness = { held: true, heldSince: 0 as number | null, goneAt: Infinity, wokeAt: -Infinity, regained }
  const state = { renews: async (): Promise<boolean> => true, isReleased: false }
  const options: LeaseOptions<string> = {
    log: testLog(),
    of: {},
    leaseMs: 600_000,
    liveness,
    take: async () => ({ lease: 'lease', quietMs: 0 }),
    renew: () => state.renews(),
    release: async () => void (state.isReleased = true),
    ...of,
  }
  const holder = await LeaseHolder.take(options)
  if (!holder) throw new Error('no lease')
  onTestFinished(() => holder.lose('the test is over'))
  const loseLock = (goneInMs: number): void =>
    void Object.assign(liveness, { held: false, heldSince: null, goneAt: performance.now() + goneInMs })
  const regainLock = (): void => {
    Object.assign(liveness, { held: true, heldSince: performance.now(), goneAt: Infinity })
    regained.emit('regained')
  }
  return { holder, liveness, state, loseLock, regainLock }
}

const hearsOfOthers = () => true

test('when the lock is lost nothing begins; what was begun goes on, and so does the rest once a renewal shows that nobody took the lease', async () => {
  const { holder, loseLock, regainLock } = await leased({ hearsOfOthers })
  expect([holder.safe, holder.isAway]).toEqual([true, false])
  loseLock(-60_000)
  expect([holder.safe, holder.isAway, holder.lost]).toEqual([false, true, null])
  regainLock()
  expect(holder.safe).toBe(false)
  await expect.poll(() => holder.safe).toBe(true)
})

test('a renewal that finds another engine ends it', async () => {
  const { holder, state, loseLock, regainLock } = await leased({ hearsOfOthers })
  loseLock(-60_000)
  state.renews = async () => false
  regainLock()
  await expect.poll(() => holder.lost).toBe('another engine has it, or it was deleted')
})

test.each([
  {
    why: 'nobody would say that another engine took over',
    of: {},
    lost: 'the database does not see that this engine lives',
  },
  {
    why: 'the dialer is silent as well',
    of: { hearsOfOthers: () => false },
    lost: 'neither the database nor the dialer says whose it is',
  },
])('it is lost once another engine may have it and $why', async ({ of, lost }) => {
  const { holder, loseLock } = await leased(of)
  loseLock(60_000)
  expect(holder.lost).toBeNull()
  loseLock(-1)
  expect(holder.lost).toBe(lost)
})

test('it is lost when this engine stood still while another may have taken it, not when it stood still before', async () => {
  const { holder, liveness, loseLock } = await leased({ hearsOfOthers })
  liveness.wokeAt = performance.now()
  loseLock(-1)
  liveness.wokeAt = liveness.goneAt - 1
  expect(holder.lost).toBeNull()
  liveness.wokeAt = performance.now()
  expect(holder.lost).toBe('this engine stood still, and another one may have it')
})

test('a lease that ran out because the database did not answer is no more valid, and is ours again when it can be renewed', async () => {
  const { holder, state } = await leased({ hearsOfOthers, leaseMs: 2500 })
  state.renews = async () => {
    throw new Error('no answer')
  }
  await expect.poll(() => holder.isValid, { timeout: 10_000 }).toBe(false)
  expect([holder.safe, holder.isAway, holder.lost]).toEqual([false, true, null])
  state.renews = async () => true
  await expect.poll(() => holder.isValid, { timeout: 10_000 }).toBe(true)
  expect([holder.safe, holder.isAway]).toEqual([true, false])
})

test('it is released after the renewals under way, which would take it back', async () => {
  const { holder, state, regainLock } = await leased()
  let answer = (_isOurs: boolean): void => undefined
  state.renews = () => new Promise((resolve) => (answer = resolve))
  regainLock()
  const givenUp = holder.giveUp()
  await new Promise((resolve) => setImmediate(resolve))
  expect(state.isReleased).toBe(false)
  answer(true)
  await givenUp
  expect(state.isReleased).toBe(true)
})
