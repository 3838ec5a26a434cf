import type { AlertRow } from '@ghanti/contract/alerts.ts'
import type { TextsOf } from '../../i18n/areas.ts'

type Texts = TextsOf<'alerts'>

export const isKnown = (kind: string, t: Texts): kind is keyof Texts['kinds'] => Object.hasOwn(t.kinds, kind)
const isRule = (rule: string, t: Texts): rule is keyof Texts['rules'] => Object.hasOwn(t.rules, rule)
/** The invariant's name, which follows a colon in the kind of its alerts. */
export const ruleOf = (kind: string): string | undefined => /^judge: (.+)$/.exec(kind)?.[1]

export function titleOf({ kind }: Pick<AlertRow, 'kind'>, t: Texts): string {
  if (isKnown(kind, t)) return t.kinds[kind]
  const rule = ruleOf(kind)
  return rule ? `${t.judge}: ${isRule(rule, t) ? t.rules[rule] : rule}` : kind
}
