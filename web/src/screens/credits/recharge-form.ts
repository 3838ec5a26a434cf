import { RechargeAmount } from '@ghanti/contract/recharge-amount.ts'
import type { CreditAccount, creditRoutes, PaymentMode } from '@ghanti/contract/credits.ts'
import type { SentOf } from '../../api/client.ts'
import type { RechargeKind } from './recharge.tsx'

export type RechargeValues = { credits: string; paymentMode: PaymentMode | ''; reference: string; note: string }

export const blankRecharge: RechargeValues = { credits: '', paymentMode: '', reference: '', note: '' }

/** The contract's error for the amount; null when it is valid. */
export function amountFault(credits: string): string | null {
  if (!credits.trim()) return 'is required'
  return RechargeAmount.safeParse(credits).error?.issues[0]?.message ?? null
}

/** Whole paisa; null while the amount is invalid. */
export function typedPaisa(credits: string): number | null {
  return RechargeAmount.safeParse(credits).data ?? null
}

export function toRecharge(userId: number, values: RechargeValues): SentOf<typeof creditRoutes.add> {
  const { credits, paymentMode, reference, note } = values
  return {
    userId,
    credits: credits.trim(),
    ...(paymentMode && { paymentMode }),
    ...(reference.trim() && { reference: reference.trim() }),
    ...(note.trim() && { note: note.trim() }),
  }
}

const sameWithinSeconds = 60

/** Seconds since the same recharge of this account, if that is recent enough to be a slip; otherwise null. */
export function doneAgo({ last }: CreditAccount, kind: RechargeKind, credits: string): number | null {
  if (!last || last.action !== `credit_${kind}` || last.secondsAgo >= sameWithinSeconds) return null
  return Math.round(last.credits * 100) === typedPaisa(credits) ? last.secondsAgo : null
}

export type After = { child: number; own: number | null; short: boolean }

/** What each side can spend afterwards, in rupees. */
export function afterwards(account: CreditAccount, kind: RechargeKind, paisa: number): After {
  const sign = kind === 'add' ? 1 : -1
  const child = (Math.round(account.free * 100) + sign * paisa) / 100
  const own = account.ownFree === null ? null : (Math.round(account.ownFree * 100) - sign * paisa) / 100
  const free = kind === 'add' ? account.ownFree : account.free
  return { child, own, short: free !== null && paisa > Math.round(free * 100) }
}
