import type { Session } from './session.ts'

type Owned = NonNullable<Session['balance']>

/** The balance on every screen, in rupees: what can be spent. The reserved amount is shown beside it. */
export function freeOf({ credits, reserved }: Owned): number {
  return (Math.round(credits * 100) - Math.round(reserved * 100)) / 100
}
