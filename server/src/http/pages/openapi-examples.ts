import { apiExamples, type ApiExample } from '@ghanti/contract/api-examples.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { RouteKey } from '@ghanti/contract/routes.ts'

type Shown = { example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }

const ofCalls = Map.groupBy(apiExamples, ({ call }) => call)
const ofCall = (key: RouteKey): readonly ApiExample[] => ofCalls.get(key) ?? []

function shown(examples: readonly ApiExample[], valueOf: (of: ApiExample) => unknown): Shown {
  if (examples.length === 0) return {}
  return { examples: Object.fromEntries(examples.map((of) => [of.name, { summary: of.title, value: valueOf(of) }])) }
}

/** The bodies that are sent. Whoever reads them finds the answer to each under the same name. */
export const requestExamples = (key: RouteKey): Shown => shown(ofCall(key), ({ input }) => input)

export function answerExamples(key: RouteKey, which: 'done' | 'refused'): Shown {
  const wanted = ofCall(key).filter(({ status }) => status < 400 === (which === 'done'))
  return shown(wanted, ({ answer }) => answer)
}

/** What the first example has in a path or a query. */
export function parameterExample(key: RouteKey, name: string): Shown {
  const example = ownValue(ofCall(key)[0]?.input, name)
  return example === undefined ? {} : { example }
}

/** The codes with which the examples of a call are refused. */
export function codesOf(key: RouteKey): string[] {
  const errors = ofCall(key).flatMap(({ answer }) => {
    const { errors = [] } = answer as { errors?: { code: string }[] }
    return errors.map(({ code }) => code)
  })
  return [...new Set(errors)].toSorted()
}
