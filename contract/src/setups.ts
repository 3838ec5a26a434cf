import * as z from 'zod/mini'
import { PreviewInput } from './compose.ts'
import { json } from './route.ts'
import { Id, Message, Name } from './values.ts'

export const setupsMax = 100

/** The fields of compose that a set-up holds: neither name nor time, and no address of messages, which has credentials. */
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
  /** Null: none was chosen yet. */
  templateId: z.nullable(z.number()),
  cli: z.nullable(z.string()),
  baseName: z.nullable(z.string()),
  changedTime: z.string(),
})
export type SetupRow = z.output<typeof SetupRow>

/** Something that a set-up names and that no longer exists, under its last name. */
const Gone = z.object({ what: z.enum(['voiceFile', 'cli', 'contacts']), name: z.string() })
export type Gone = z.output<typeof Gone>

/** Set-ups are private to their owner. */
export const setupRoutes = {
  list: json({ method: 'GET', path: '/api/obd/setups', reply: z.array(SetupRow) }),
  detail: json({
    method: 'GET',
    path: '/api/obd/setups/:setupId',
    input: z.object({ setupId: Id }),
    reply: z.object({
      setupId: z.number(),
      setupName: z.string(),
      /** As a campaign's `composed`. A caller ID and a contact file that are gone are left out, and so is what cannot be read any more. */
      composed: z.record(z.string(), z.unknown()),
      gone: z.array(Gone),
      /** Fields that compose no longer accepts, and why. */
      faults: z.array(z.object({ field: z.string(), text: z.string() })),
    }),
  }),
  /** Fields may be missing, as in a form that is not complete. */
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
      /** Its contact file as well, if it is a stored one. */
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
