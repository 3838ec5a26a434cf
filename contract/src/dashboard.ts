import * as z from 'zod/mini'

/** The second week is compared with the first. */
export const trendDays = 14

const figures = {
  campaigns: z.number(),
  calls: z.number(),
  connected: z.number(),
  /** Accepted by a gateway, and of these delivered so far. */
  messages: z.number(),
  delivered: z.number(),
  cost: z.number(),
}
/** By the day in Nepal on which they began, today last. `cost`: paid by users. `before`: of the first week, up to this time of day. */
export const DashboardTrend = z.object({
  days: z.array(z.object({ day: z.string(), ...figures })),
  before: z.object(figures),
})
export type DashboardTrend = z.infer<typeof DashboardTrend>
