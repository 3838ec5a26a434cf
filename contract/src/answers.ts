import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id } from './values.ts'

/** Recorded, a choice, or the way to the next menu or an agent. */
export const keyMeanings = ['recorded', 'optin', 'optout', 'action', 'next', 'agent'] as const

const MenuAnswers = z.object({
  menu: z.string(),
  /** Heard the question, or pressed its key before: the sum of the counts below. */
  asked: z.number(),
  /** By the last valid key a call pressed. Rows as well as calls, since nobody who answered is called again. */
  keys: z.array(
    z.object({
      key: z.string(),
      meaning: z.enum(keyMeanings),
      /** Null: the key leads to no agent. */
      agent: z.nullable(z.string()),
      count: z.number(),
    }),
  ),
  /** Pressed other keys only. */
  wrong: z.number(),
  /** To the end each time. */
  none: z.number(),
  /** Hung up before pressing anything. */
  left: z.number(),
})

const PlaceAnswers = z.object({
  /** A part's name ('welcome', 'menu1', 'date1'); a menu's with '?' for the silence after it; 'agent' while ringing; 'talk' in conversation. */
  place: z.string(),
  heard: z.number(),
  left: z.number(),
})

export const CampaignAnswers = z.object({
  /** `known`: with a trail. */
  answered: z.number(),
  known: z.number(),
  menus: z.array(MenuAnswers),
  places: z.array(PlaceAnswers),
  /** Heard everything; ended early by us; end known from the dialer's record alone. */
  completed: z.number(),
  cut: z.number(),
  unknown: z.number(),
})
export type CampaignAnswers = z.output<typeof CampaignAnswers>

const CampaignIdInput = z.object({ campaignId: Id })

export const answerRoutes = {
  ofCampaign: json({
    method: 'GET',
    path: '/api/obd/campaign/answers/:campaignId',
    input: CampaignIdInput,
    reply: CampaignAnswers,
  }),
  keysCsv: file({ path: '/api/obd/campaign/answers/:campaignId/answers.csv', input: CampaignIdInput }),
  dropOffCsv: file({ path: '/api/obd/campaign/answers/:campaignId/drop_off.csv', input: CampaignIdInput }),
}
