import * as z from 'zod/mini'
import { json } from './route.ts'
import { OneLine, orRequired } from './values.ts'

/** Results of each kind at most, and how many letters a search needs. */
export const findMax = 5
export const findLettersMin = 3

const Search = OneLine(orRequired('must be text')).check(z.maxLength(100, { error: 'is longer than 100 characters' }))

const FoundCampaign = z.object({ campaignId: z.number(), campaignName: z.string(), username: z.string() })
export type FoundCampaign = z.output<typeof FoundCampaign>

const Found = z.object({
  /** Newest first, by name or id. */
  campaigns: z.array(FoundCampaign),
  smsCampaigns: z.array(FoundCampaign),
  /** Accounts, found as the user list finds them. Empty for viewers who have none. */
  users: z.array(
    z.object({
      userId: z.number(),
      username: z.string(),
      name: z.string(),
      company: z.string(),
      isChild: z.boolean(),
    }),
  ),
  /** The caller's own caller IDs, by at least three digits: the whole number, its beginning or its end. */
  clis: z.array(z.object({ cliId: z.number(), cli: z.string() })),
})
export type Found = z.output<typeof Found>

const Called = z.object({
  /** Newest first. */
  campaigns: z.array(
    z.object({ campaignId: z.number(), campaignName: z.string(), username: z.string(), calls: z.number() }),
  ),
  /** Calls up to this Nepal time were archived and are not searched; null when none were. */
  archivedTo: z.nullable(z.string()),
})
export type Called = z.output<typeof Called>

export const findRoutes = {
  /** Campaigns that called a number. The audit log records who asked. */
  number: json({
    method: 'GET',
    path: '/api/obd/find/number/:mobile',
    input: z.object({
      mobile: OneLine(orRequired('must be text')).check(z.maxLength(30, { error: 'is longer than 30 characters' })),
    }),
    reply: Called,
  }),
  /** A few campaigns, accounts and CLIs from the caller's lists. A search of less than three letters finds ids only. */
  find: json({ method: 'GET', path: '/api/obd/find', input: z.object({ search: Search }), reply: Found }),
}
