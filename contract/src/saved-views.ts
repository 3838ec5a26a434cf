import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, orRequired, Text } from './values.ts'

export const viewsMax = 50
export const viewNameMax = 40
const viewQueryMax = 1000

const SavedView = z.object({
  viewId: z.number(),
  name: z.string(),
  /** The query of the console's URL, without '?': filters, search and sort. */
  query: z.string(),
  /** Opens when the list is opened without a query; at most one per list. */
  isDefault: z.boolean(),
})
export type SavedView = z.output<typeof SavedView>

/** The path of the list's route: '/api/obd/campaign/:userId'. */
const List = Text(200)
const ViewName = Text(viewNameMax)

export const savedViewRoutes = {
  list: json({
    method: 'GET',
    path: '/api/obd/views',
    input: z.object({ list: List }),
    reply: z.array(SavedView),
  }),
  save: json({
    method: 'POST',
    path: '/api/obd/views',
    input: z.object({
      list: List,
      name: ViewName,
      query: Text(viewQueryMax),
      isDefault: z.optional(z.boolean({ error: 'must be true or false' })),
    }),
    reply: z.object({ message: z.string(), viewId: z.number() }),
  }),
  rename: json({
    method: 'POST',
    path: '/api/obd/views/rename',
    input: z.object({ viewId: Id, name: ViewName }),
    reply: Message,
  }),
  /** `isDefault` false: the list opens without a view. */
  setDefault: json({
    method: 'POST',
    path: '/api/obd/views/default',
    input: z.object({ viewId: Id, isDefault: z.boolean(orRequired('must be true or false')) }),
    reply: Message,
  }),
  delete: json({ method: 'DELETE', path: '/api/obd/views/:viewId', input: z.object({ viewId: Id }), reply: Message }),
}
