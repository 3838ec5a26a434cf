import * as z from 'zod/mini'

/** Numbers that can be called and will not be: how many rows have one, by column. 'mobile': behind the first in its cell. */
export const MoreNumbers = z.array(z.object({ column: z.string(), rows: z.number() }))
export type MoreNumbers = z.output<typeof MoreNumbers>
