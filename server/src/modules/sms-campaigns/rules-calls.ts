/** A message after a call is numbered row × 16 + text, so each row gets each text once, whatever is retried. */
export const textsOfRow = 16
