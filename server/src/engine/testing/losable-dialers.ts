import { expect, vi } from 'vitest'
import { TelephonyError, type DialerAddress, type DialerEvent } from '../../drivers/telephony/driver.ts'
import { polling } from '../../testing/timeouts.ts'
import { dialling, instead, type Dialling } from './engine.ts'

export type LosableDialers = Dialling & {
  /** The dialer does not answer from now on; its calls go on. */
  lose(dialerId: number): void
  comeBack(dialerId: number): void
  /** Resolves when the dialers have these trunks. */
  areSet(trunkIds: readonly number[]): Promise<void>
}

/** An engine that dials, and dialers that can be lost. */
export async function losableDialers(of: Parameters<typeof dialling>[0]): Promise<LosableDialers> {
  const at = await dialling(of)
  /** Dialers that do not answer, by their ports. */
  const gone = new Set<number>()
  const listeners = new Map<number, (events: DialerEvent[]) => void>()
  const telephone = instead(at.simulator, (connection, { port }) => ({
    onEvents(listener) {
      listeners.set(port, listener)
      connection.onEvents(listener)
    },
  }))
  at.start({
    telephony: [
      {
        name: telephone.name,
        connect: (address: DialerAddress) =>
          gone.has(address.port) ? Promise.reject(new TelephonyError('no route to it')) : telephone.connect(address),
      },
    ],
  })
  const portOf = (dialerId: number): number => 20_000 + dialerId
  return {
    ...at,
    lose(dialerId) {
      gone.add(portOf(dialerId))
      listeners.get(portOf(dialerId))?.([{ type: 'lost', at: Date.now(), reason: 'no route to it' }])
    },
    comeBack(dialerId) {
      if (!gone.delete(portOf(dialerId))) return
      listeners.get(portOf(dialerId))?.([{ type: 'restored', at: Date.now() }])
    },
    async areSet(trunkIds) {
      await vi.waitFor(async () => {
        const { rows } = await at.pool.query<{ n: number }>(
          'select count(*)::int as n from trunk_state where trunk_id = any ($1::int[]) and reachable',
          [trunkIds],
        )
        expect(rows).toEqual([{ n: trunkIds.length }])
      }, polling)
    },
  }
}
