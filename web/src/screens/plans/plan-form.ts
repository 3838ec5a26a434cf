import type { planRoutes } from '@ghanti/contract/plans.ts'
import type { Price } from '@ghanti/contract/money.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import type { SentOf } from '../../api/client.ts'

export type PlanValues = { planName: string; pulseDuration: string | null; pulsePrice: string; smsPrice: string }

export const blankPlan: PlanValues = { planName: '', pulseDuration: null, pulsePrice: '', smsPrice: '' }

export function toAddPlan(values: PlanValues): SentOf<typeof planRoutes.add> {
  return {
    planName: values.planName.trim(),
    pulseDuration: Number(values.pulseDuration),
    pulsePrice: values.pulsePrice.trim(),
    ...(values.smsPrice.trim() ? { smsPrice: values.smsPrice.trim() } : {}),
  }
}

/** The typed price; null while it is invalid. */
export function typedPrice(pulseDuration: string | null, pulsePrice: string): Price | null {
  const price = plainNumber(pulsePrice.trim())
  if (!pulseDuration || !/^\d{1,6}$/.test(price)) return null
  return { pulseMs: Number(pulseDuration) * 1000, pulsePaisa: Number(price) }
}
