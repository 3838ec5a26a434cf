/** How many refused lines are kept of each kind: lines that are refused for what they are, and lines that a template cannot use. All are counted. */
export const refusedKeptMax = 10_000
