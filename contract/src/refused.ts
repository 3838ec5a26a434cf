import * as z from 'zod/mini'

/** How many refused lines are kept of each kind: those that every template refuses, and those that only this one does. All are counted. */
export const refusedKeptMax = 10_000

/** How many refused rows the refusal of a file lists. */
export const refusedShown = 10

/** How many of them the check of a file lists, where people type their numbers anew. */
export const checkedShown = 50

/** What was read of a file that is refused: its counts, and its first refused rows. */
export const RefusedFile = z.object({
  rows: z.number(),
  dialable: z.number(),
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
})
export type RefusedFile = z.output<typeof RefusedFile>

/** More than a fifth: the columns may be other ones than were taken, so a person should look before the file is stored. */
export const isManyRefused = (refused: number, rows: number): boolean => refused * 5 > rows
