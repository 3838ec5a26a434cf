import type { HoldCause } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'

/** What a reader can do about a hold. `ask`: the provider must act; `askIfLong`: it passes by itself, and the provider is asked if it does not. */
export type HoldAct = 'ask' | 'askIfLong' | 'resume' | 'recharge' | 'customer' | 'hours' | 'dialers' | 'trunks'

type Hold = {
  /** How the campaign goes on once the cause has passed: by itself, when its owner resumes it, or when whoever paused it resumes it. */
  goesOn: 'itself' | 'owner' | 'holder'
  act: Record<Role, HoldAct | null>
  /** Who reads the engine's own sentence beside it: everybody, or only whoever runs the lines that it names. */
  detailFor: 'all' | 'operator'
}

const ofLines = (operator: HoldAct): Hold => ({
  goesOn: 'itself',
  act: { user: 'askIfLong', reseller: 'askIfLong', superAdmin: operator },
  detailFor: 'operator',
})
const ofAccount = (goesOn: Hold['goesOn'], above: HoldAct): Hold => ({
  goesOn,
  act: { user: 'ask', reseller: above, superAdmin: above },
  detailFor: 'all',
})

/** Every cause of the engines, and Low Balance (docs/design.md#hold-causes): who can act, and how. Its words: web/src/i18n/en/holds.ts. */
export const holds: Record<HoldCause, Hold> = {
  hours: { goesOn: 'itself', act: { user: null, reseller: null, superAdmin: 'hours' }, detailFor: 'all' },
  dialer: ofLines('dialers'),
  trunk: ofLines('trunks'),
  prompts: ofLines('dialers'),
  refusals: { ...ofLines('trunks'), act: { user: 'resume', reseller: 'askIfLong', superAdmin: 'trunks' } },
  disabled: ofAccount('itself', 'customer'),
  expired: ofAccount('owner', 'customer'),
  lowBalance: ofAccount('owner', 'recharge'),
  balance: { goesOn: 'owner', act: { user: 'resume', reseller: null, superAdmin: null }, detailFor: 'all' },
  administrator: { goesOn: 'holder', act: { user: 'ask', reseller: 'resume', superAdmin: 'resume' }, detailFor: 'all' },
}
