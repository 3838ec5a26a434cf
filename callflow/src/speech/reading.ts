/**
 * A cell's value in its normal form, which is the same text for equal values; or why it cannot be spoken, continuing a sentence that begins with
 * the column's name.
 */
export type Reading = { ok: true; value: string } | { ok: false; why: string }

export const refused = (why: string): Reading => ({ ok: false, why })
export const read = (value: string): Reading => ({ ok: true, value })
