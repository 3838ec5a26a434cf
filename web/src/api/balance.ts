import type { Session } from './session.ts'

type Owned = NonNullable<Session['balance']>

/** A balance as every screen shows it, in rupees: what can be spent. What calls under way have reserved stands beside it, never in it. */
export function freeOf({ credits, reserved }: Owned): number {
  return (Math.round(credits * 100) - Math.round(reserved * 100)) / 100
}
