import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id } from './values.ts'

/** What a key does in the campaign's template: it is recorded, chooses something, or leads to the next menu or to an agent. */
export const keyMeanings = ['recorded', 'optin', 'optout', 'action', 'next', 'agent'] as const

const MenuAnswers = z.object({
  menu: z.string(),
  /** Answered calls that heard the question, or pressed its key before: the sum of the counts below. */
  asked: z.number(),
  /** Every valid key, counted by the last one that a call pressed. Counts rows as well as calls, since nobody who answered is called again. */
  keys: z.array(
    z.object({
      key: z.string(),
      /** The name that the campaign gave it, if any. */
      label: z.nullable(z.string()),
      meaning: z.enum(keyMeanings),
      /** The agent who is called; null when the key leads to no agent. */
      agent: z.nullable(z.string()),
      count: z.number(),
    }),
  ),
  /** Pressed other keys only. */
  wrong: z.number(),
  /** Heard the question to the end each time and pressed nothing. */
  none: z.number(),
  /** Hung up before pressing anything. */
  left: z.number(),
})

const PlaceAnswers = z.object({
  /**
   * A part's name ('welcome', 'menu1', 'date1'); a menu's name and '?' for the silence after it; 'agent' while the agent's telephone rings;
   * 'talk' during the conversation.
   */
  place: z.string(),
  heard: z.number(),
  left: z.number(),
})

export const CampaignAnswers = z.object({
  /** Answered calls, and how many of them have a known trail. */
  answered: z.number(),
  known: z.number(),
  menus: z.array(MenuAnswers),
  places: z.array(PlaceAnswers),
  /** Calls that heard everything; that we ended early; whose end is known from the dialer's record alone. */
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
