import * as z from 'zod/mini'
import { promptTypes, sectionNames, spokenTypes } from './templates.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, OneLine, orRequired } from './values.ts'

function orBlank<S extends z.ZodMiniType>(schema: S) {
  const unblank = z.transform((value: unknown): unknown => (value === '' || value === null ? undefined : value))
  return z.optional(z.pipe(unblank, z.optional(schema)))
}

const Section = z
  .array(
    z.object(
      {
        type: z.enum([...promptTypes, ...spokenTypes], orRequired('is not a type of part')),
        promptId: orBlank(Id),
      },
      { error: 'must have a type' },
    ),
    { error: 'must be a list of parts' },
  )
  .check(z.maxLength(20, { error: 'has more than 20 parts' }))

/** '1|2|3' */
const MenuKeys = z.pipe(
  z.union(
    [
      OneLine({ error: 'must look like 1|2|3' }).check(z.maxLength(40, { error: 'is longer than 40 characters' })),
      z.number(),
    ],
    {
      error: 'must look like 1|2|3',
    },
  ),
  z.transform(String),
)
const Menus = z
  .array(z.object({ promptId: orBlank(Id), dtmf: orBlank(MenuKeys) }, { error: 'must have promptId and dtmf' }), {
    error: 'must be a list of menus',
  })
  .check(z.maxLength(20, { error: 'has more than 20 menus' }))

/**
 * The prompts of templates with several parts (docs/api.md#templates), as JSON or as JSON text: sections of typed parts, or `menus` for
 * consultancy. The server checks which of them a template needs, and in which order.
 */
export const PromptsInput = jsonOr(
  z.strictObject(
    {
      welcome: z.optional(Section),
      optin: z.optional(Section),
      optout: z.optional(Section),
      action: z.optional(Section),
      menus: z.optional(Menus),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `has '${issue.keys.join("', '")}': its sections are ${sectionNames.join(', ')} and menus`
          : 'must be JSON like {"welcome": [{"type": "menu1", "promptId": 1}]}',
    },
  ),
)
export type PromptsInput = z.output<typeof PromptsInput>
