import * as z from 'zod/mini'
import { PreviewInput } from './compose.ts'
import { json } from './route.ts'
import { Id, Message, Name } from './values.ts'

export const setupsMax = 100

/** Neither name nor time, and no address of messages, which has credentials. */
export const SetupFields = z.omit(PreviewInput, {
  userId: true,
  campaignName: true,
  scheduleTime: true,
  notAfter: true,
  smsSuccessApi: true,
  smsFailApi: true,
  smsDtmfApi: true,
})
export type SetupFields = z.output<typeof SetupFields>

const Saved = z.object({ message: z.string(), setupId: z.number() })

const SetupRow = z.object({
  setupId: z.number(),
  setupName: z.string(),
  /** Null: none yet. */
  templateId: z.nullable(z.number()),
  cli: z.nullable(z.string()),
  baseName: z.nullable(z.string()),
  changedTime: z.string(),
})
export type SetupRow = z.output<typeof SetupRow>

/** No longer there, by its last name. */
const Gone = z.object({ what: z.enum(['voiceFile', 'cli', 'contacts']), name: z.string() })
export type Gone = z.output<typeof Gone>

/** Private to their owner. */
export const setupRoutes = {
  list: json({ method: 'GET', path: '/api/obd/setups', reply: z.array(SetupRow) }),
  detail: json({
    method: 'GET',
    path: '/api/obd/setups/:setupId',
    input: z.object({ setupId: Id }),
    reply: z.object({
      setupId: z.number(),
      setupName: z.string(),
      /** Without a caller ID and a contact file that are gone, and what cannot be read any more. */
      composed: z.record(z.string(), z.unknown()),
      gone: z.array(Gone),
      /** By field. */
      faults: z.array(z.object({ field: z.string(), text: z.string() })),
    }),
  }),
  /** Fields may be missing. */
  save: json({
    method: 'POST',
    path: '/api/obd/setups',
    input: z.extend(SetupFields, { setupName: Name }),
    reply: Saved,
  }),
  saveFrom: json({
    method: 'POST',
    path: '/api/obd/setups/from',
    input: z.object({
      campaignId: Id,
      setupName: Name,
      /** If it is a stored one. */
      withContacts: z.optional(z.boolean({ error: 'must be true or false' })),
    }),
    reply: Saved,
  }),
  rename: json({
    method: 'POST',
    path: '/api/obd/setups/rename',
    input: z.object({ setupId: Id, setupName: Name }),
    reply: Message,
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/setups/:setupId',
    input: z.object({ setupId: Id }),
    reply: Message,
  }),
}
