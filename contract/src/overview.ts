import * as z from 'zod/mini'
import { CampaignAnswers } from './answers.ts'
import { Lasts } from './customers.ts'
import { holdCauses } from './campaign-status.ts'
import type { Role } from './roles.ts'
import { json, type ReplyOf } from './route.ts'
import { CampaignRow } from './voice-campaigns.ts'

/** What an account has to do; each item leads to the screen for it. */
const needs = [
  'lowBalance',
  'noCli',
  'campaignsHeld',
  'campaignsFailed',
  'smsHeld',
  'smsFailed',
  'promptsRejected',
  'packsRejected',
  'sendersRejected',
  'textsRejected',
  'exportsReady',
] as const
export type NeedKind = (typeof needs)[number]
const Need = z.object({
  kind: z.enum(needs),
  /** Counted to 100. */
  count: z.number(),
  /** The newest item's name and the reason that was given. */
  about: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Of campaigns on hold: what the newest waits for. */
  hold: z.optional(z.object({ campaignId: z.number(), cause: z.enum(holdCauses), heldBy: z.nullable(z.string()) })),
})
export type Need = z.output<typeof Need>

export const overviewRowsMax = 5
/** Trunks on hold first, then the busiest. */
export const overviewTrunksMax = 25

const troubles = ['held', 'lowBalance', 'failed', 'unanswered'] as const
const Trouble = z.object({
  campaignId: z.number(),
  campaignName: z.string(),
  userId: z.number(),
  username: z.string(),
  /** held: it waits for a line or a person; lowBalance: for money; failed: within the last day; unanswered: none of 20 calls or more was answered. */
  trouble: z.enum(troubles),
  /** A sentence; null when there is none. */
  reason: z.nullable(z.string()),
  /** What it waits for, while it is on hold or out of money. */
  hold: z.nullable(z.enum(holdCauses)),
  heldBy: z.nullable(z.string()),
  isSms: z.boolean(),
})
export type Trouble = z.output<typeof Trouble>

/** How many campaigns `now` has of an account above users. */
export const campaignsNowMax = 3

/** The voice campaigns that run now (status 1, 8 or 10): the account's own, or those of all accounts below. */
const CallsNow = z.object({
  running: z.number(),
  inCall: z.number(),
  /** People who were called at least once, of whom `answered` answered. */
  called: z.number(),
  answered: z.number(),
  /** Attempts by disposition. */
  outcomes: z.record(z.string(), z.number()),
  /** Those with most people left to call, those paused after calls last: one for a user, three for others. */
  campaigns: z.array(CampaignRow),
  /** The last one that ended after calls; null while `campaigns` has any. */
  last: z.nullable(CampaignRow),
  /** What was pressed in the campaign that a user's dashboard shows; empty for others. */
  menus: CampaignAnswers.shape.menus,
})
export type CallsNow = z.output<typeof CallsNow>

const TrunkNow = z.object({
  trunkId: z.number(),
  trunkName: z.string(),
  /** Null when no engine holds its dialer. */
  now: z.nullable(
    z.object({
      callsPerSecond: z.number(),
      channelsUsed: z.number(),
      /** Why its campaigns are on hold; null when they are not. */
      held: z.nullable(z.string()),
      reachable: z.nullable(z.boolean()),
    }),
  ),
  /** Its capacity; calls per second as its operator accepts them now. */
  cps: z.number(),
  channels: z.number(),
  /** Calls that started today in Nepal. */
  today: z.object({ calls: z.number(), asr: z.nullable(z.number()) }),
})

/** The steps to a first campaign, in the order of the work, by role. */
export const firstSteps = {
  user: ['voiceFile', 'approval', 'callerId', 'balance', 'contacts', 'testCall', 'campaign'],
  reseller: ['plan', 'customer', 'allocation', 'recharge', 'customerCampaign'],
  superAdmin: ['dialer', 'trunk', 'trunkTest', 'cli', 'plan', 'customer', 'allocation', 'recharge'],
} as const satisfies Record<Role, readonly string[]>
export type FirstStep = (typeof firstSteps)[Role][number]

/** What dashboards show beside the figures of specification 1, read from counters and small tables, never by counting calls. */
export const overviewRoutes = {
  own: json({
    method: 'GET',
    path: '/api/obd/overview/own',
    reply: z.object({
      /** Null for a reseller, whose balance calls do not spend. */
      lasts: z.nullable(Lasts),
      /** Null for a reseller, whose calls are in `reseller`. */
      now: z.nullable(CallsNow),
      lowBalanceLimit: z.number(),
      needs: z.array(Need),
    }),
  }),
  start: json({
    method: 'GET',
    path: '/api/obd/overview/start',
    /** The steps of the caller's role. */
    reply: z.object({
      steps: z.array(z.object({ step: z.enum(Object.values(firstSteps).flat()), isDone: z.boolean() })),
    }),
  }),
  reseller: json({
    method: 'GET',
    path: '/api/obd/overview/reseller',
    reply: z.object({
      now: CallsNow,
      /** Rupees for calls and messages since the first of Nepal's month. `before`: the month before, up to the same day. */
      month: z.object({ margin: z.number(), before: z.number(), paid: z.number() }),
      customers: z.array(
        z.object({
          userId: z.number(),
          username: z.string(),
          today: z.number(),
          month: z.number(),
          margin: z.number(),
        }),
      ),
      /** Direct customers whose balance is below their notification limit, the lowest first. */
      low: z.array(z.object({ userId: z.number(), username: z.string(), free: z.number(), limit: z.number() })),
      lowInAll: z.number(),
      trouble: z.array(Trouble),
      troubleInAll: z.number(),
    }),
  }),
  platform: json({
    method: 'GET',
    path: '/api/obd/overview/platform',
    reply: z.object({
      now: CallsNow,
      trunks: z.array(TrunkNow),
      trunksLeftOut: z.number(),
      totals: z.object({
        callsPerSecond: z.number(),
        cps: z.number(),
        channelsUsed: z.number(),
        channels: z.number(),
      }),
      /** Each counted to 100. */
      waiting: z.object({
        prompts: z.number(),
        packs: z.number(),
        senders: z.number(),
        texts: z.number(),
        values: z.number(),
        domains: z.number(),
      }),
      alerts: z.object({
        /** Counted to 100. */
        open: z.number(),
        /** Newest first. */
        first: z.array(
          z.object({
            alertId: z.number(),
            raisedAt: z.string(),
            kind: z.string(),
            subject: z.string(),
            detail: z.string(),
          }),
        ),
      }),
      /** What a super admin has stopped, newest first. */
      stopped: z.array(
        z.object({
          dialBlockId: z.number(),
          target: z.string(),
          reason: z.string(),
          by: z.string(),
          since: z.string(),
        }),
      ),
    }),
  }),
}
export type OwnOverview = ReplyOf<typeof overviewRoutes.own>
export type StartOverview = ReplyOf<typeof overviewRoutes.start>
export type ResellerOverview = ReplyOf<typeof overviewRoutes.reseller>
export type PlatformOverview = ReplyOf<typeof overviewRoutes.platform>
