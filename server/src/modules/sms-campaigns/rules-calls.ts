/** A message after a call has the number of its row and that of its text in one: row x 16 + text. So it is one row's once, whatever is tried again. */
export const textsOfRow = 16
