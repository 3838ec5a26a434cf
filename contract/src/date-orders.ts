/** Which of day and month stands first in a column of dates like 11/05/2026. */
export const dateOrders = ['dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** `ask`: each of the column's dates can be read in both orders, or some only in one and some only in the other. */
export type ColumnOrder = DateOrder | 'ask'

/** By the names of a file's columns; columns whose dates depend on no order are absent. */
export type ColumnOrders = Readonly<Record<string, ColumnOrder>>
