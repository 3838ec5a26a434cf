import * as z from 'zod/mini'

/** Two weeks: the second is compared with the first. */
export const trendDays = 14

const figures = {
  /** Voice campaigns; the next two are theirs. */
  campaigns: z.number(),
  calls: z.number(),
  connected: z.number(),
  /** Of SMS campaigns: accepted by a gateway, and how many of these were delivered so far. */
  messages: z.number(),
  delivered: z.number(),
  cost: z.number(),
}
/**
 * What became of the campaigns that began on each of the last days in Nepal, today last; `cost`: rupees that their users paid.
 * `before`: of those that began in the first of the two weeks, up to the time of day that it is now.
 */
export const DashboardTrend = z.object({
  days: z.array(z.object({ day: z.string(), ...figures })),
  before: z.object(figures),
})
export type DashboardTrend = z.infer<typeof DashboardTrend>
