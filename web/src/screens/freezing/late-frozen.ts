import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

const part = async () => (await Promise.all([import('./FrozenCampaign.tsx'), loadTexts('users')]))[0]

/** Few campaigns are frozen: what says so loads with the first one that is. */
export const HeldByFreeze = late(async () => ({ default: (await part()).HeldByFreeze }))
export const FrozenCampaignBar = late(async () => ({ default: (await part()).FrozenCampaignBar }))
