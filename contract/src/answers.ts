import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id } from './values.ts'

/** What a key does in the campaign's template: it is recorded, it chooses, it leads to the next menu or to an agent. */
export const keyMeanings = ['recorded', 'optin', 'optout', 'action', 'next', 'agent'] as const

const MenuAnswers = z.object({
  menu: z.string(),
  /** Answered calls that were asked it, or pressed its key before they were: the sum of the counts below. */
  asked: z.number(),
  /** Every valid key, by the last one that a call pressed. A row counts once: nobody who answered is called again. */
  keys: z.array(
    z.object({
      key: z.string(),
      meaning: z.enum(keyMeanings),
      /** Whom it calls; null unless it leads to an agent. */
      agent: z.nullable(z.string()),
      count: z.number(),
    }),
  ),
  /** Pressed other keys only. */
  wrong: z.number(),
  /** Heard it to the end, as often as it was asked, and pressed nothing. */
  none: z.number(),
  /** Hung up before they pressed anything. */
  left: z.number(),
})

const PlaceAnswers = z.object({
  /** A part's name ('welcome', 'menu1', 'date1'), a menu's name and '?' for the silence after it, 'agent' while the agent's telephone rings, 'talk' during the conversation. */
  place: z.string(),
  /** Calls that came so far. */
  heard: z.number(),
  /** Calls that hung up there. */
  left: z.number(),
})

export const CampaignAnswers = z.object({
  /** Answered calls; those of which is known what they heard. */
  answered: z.number(),
  known: z.number(),
  menus: z.array(MenuAnswers),
  /** In the order of the flow. */
  places: z.array(PlaceAnswers),
  /** Calls that heard all they should; that we ended before; of whose end only the dialer's record tells. */
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
  /** A line for each menu and key. */
  keysCsv: file({ path: '/api/obd/campaign/answers/:campaignId/answers.csv', input: CampaignIdInput }),
  /** A line for each part. */
  dropOffCsv: file({ path: '/api/obd/campaign/answers/:campaignId/drop_off.csv', input: CampaignIdInput }),
}
