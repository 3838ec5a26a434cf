/**
 * A cell's value in its normal form, which is the same text for equal values; or why it cannot be spoken, continuing a sentence that begins with
 * the column's name. `leftOut`: the distinct parts of the cell that are not spoken; absent when there are none.
 */
export type Reading = { ok: true; value: string; leftOut?: readonly string[] } | { ok: false; why: string }

export const refused = (why: string): Reading => ({ ok: false, why })
export const read = (value: string, leftOut: readonly string[] = []): Reading =>
  leftOut.length > 0 ? { ok: true, value, leftOut: [...new Set(leftOut)] } : { ok: true, value }
