import * as z from 'zod/mini'

/**
 * Numbers that can be called and will not be: how many rows have one, by column. 'mobile': behind the first in its cell. `place`: not among the rows
 * that were read, but in lines above their header (`column` is empty), or in another sheet or a hidden one of the workbook (`column` is its name).
 */
export const MoreNumbers = z.array(
  z.object({ column: z.string(), rows: z.number(), place: z.optional(z.enum(['above', 'sheet', 'hiddenSheet'])) }),
)
export type MoreNumbers = z.output<typeof MoreNumbers>
