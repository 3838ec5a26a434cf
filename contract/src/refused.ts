/** How many refused lines are kept of each kind: those that every template refuses, and those that only this one does. All are counted. */
export const refusedKeptMax = 10_000
