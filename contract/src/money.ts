/** Rupees for the wire, two decimals. */
export function rupeesOf(paisa: number): number {
  return paisa / 100
}

/** How many pulses an answered leg is billed: at least one (DESIGN §6). */
export function pulsesOf(billMs: number, pulseMs: number): number {
  return Math.max(1, Math.ceil(billMs / pulseMs))
}

/** The shortest call, 1 to 3,600 s, for which `plan` is cheaper than `parent`, with both costs; null when there is none (DESIGN §6). */
export function cheaperThanParent(
  plan: Price,
  parent: Price,
): { ms: number; costPaisa: number; parentPaisa: number } | null {
  for (let ms = 1; ms <= 3_600_000; ms += parent.pulseMs) {
    const costPaisa = pulsesOf(ms, plan.pulseMs) * plan.pulsePaisa
    const parentPaisa = pulsesOf(ms, parent.pulseMs) * parent.pulsePaisa
    if (costPaisa < parentPaisa) return { ms, costPaisa, parentPaisa }
  }
  return null
}

export type Price = { pulseMs: number; pulsePaisa: number }
