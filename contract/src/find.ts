import * as z from 'zod/mini'
import { json } from './route.ts'
import { OneLine, orRequired } from './values.ts'

/** How many of each kind are found at most, and from how many letters on. */
export const findMax = 5
export const findLettersMin = 3

const Search = OneLine(orRequired('must be text')).check(z.maxLength(100, { error: 'is longer than 100 characters' }))

const FoundCampaign = z.object({ campaignId: z.number(), campaignName: z.string(), username: z.string() })
export type FoundCampaign = z.output<typeof FoundCampaign>

const Found = z.object({
  /** The newest first, by name or id. */
  campaigns: z.array(FoundCampaign),
  /** SMS campaigns in the same way. */
  smsCampaigns: z.array(FoundCampaign),
  /** By what the user list searches; none for those who have no users. */
  users: z.array(
    z.object({
      userId: z.number(),
      username: z.string(),
      name: z.string(),
      company: z.string(),
      /** The caller's own child, to whom credits go without a question. */
      isChild: z.boolean(),
    }),
  ),
  /** Caller IDs of the caller's own list, by at least three digits: the number whole, its beginning or its end. */
  clis: z.array(z.object({ cliId: z.number(), cli: z.string() })),
})
export type Found = z.output<typeof Found>

const Called = z.object({
  /** The newest first. */
  campaigns: z.array(
    z.object({ campaignId: z.number(), campaignName: z.string(), username: z.string(), calls: z.number() }),
  ),
  /** Calls up to this Nepal time were archived and are not looked through; null: none. */
  archivedTo: z.nullable(z.string()),
})
export type Called = z.output<typeof Called>

export const findRoutes = {
  /** Which campaigns called a number. A line of the audit log says who asked. */
  number: json({
    method: 'GET',
    path: '/api/obd/find/number/:mobile',
    input: z.object({
      mobile: OneLine(orRequired('must be text')).check(z.maxLength(30, { error: 'is longer than 30 characters' })),
    }),
    reply: Called,
  }),
  /** A few campaigns, accounts and CLIs of what the caller's lists hold. Of less than three letters only an id finds anything. */
  find: json({ method: 'GET', path: '/api/obd/find', input: z.object({ search: Search }), reply: Found }),
}
