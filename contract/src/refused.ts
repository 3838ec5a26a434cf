/** How many refused lines are kept of each kind: lines that no template accepts, and lines that only this one refuses. All are counted. */
export const refusedKeptMax = 10_000
