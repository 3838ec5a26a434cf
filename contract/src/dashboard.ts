import * as z from 'zod/mini'

/** Two weeks: the second is compared with the first. */
export const trendDays = 14

const figures = {
  campaigns: z.number(),
  calls: z.number(),
  connected: z.number(),
  /** Of SMS campaigns: messages that a gateway accepted, and how many of these were delivered so far. */
  messages: z.number(),
  delivered: z.number(),
  cost: z.number(),
}
/**
 * Campaigns by the day in Nepal on which they began, today last. `cost`: rupees that their users paid. `before`: campaigns that began in the
 * first week, up to this time of day.
 */
export const DashboardTrend = z.object({
  days: z.array(z.object({ day: z.string(), ...figures })),
  before: z.object(figures),
})
export type DashboardTrend = z.infer<typeof DashboardTrend>
