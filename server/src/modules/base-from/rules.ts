import type { baseFromRoutes } from '@ghanti/contract/base-from.ts'
import type { InputOf } from '@ghanti/contract/route.ts'

type Asked = InputOf<typeof baseFromRoutes.make>
/** Which rows of a campaign; all given conditions must hold. */
export type RowChoice = Pick<Asked, 'dispositions' | 'keys' | 'maxSeconds' | 'notInCampaignId'>

export function choiceOf({ dispositions, keys, maxSeconds, notInCampaignId }: Asked): RowChoice {
  return {
    ...(dispositions && { dispositions: [...new Set(dispositions)] }),
    ...(keys && { keys: [...new Set(keys)] }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(notInCampaignId !== undefined && { notInCampaignId }),
  }
}

export const isEmptyChoice = (choice: RowChoice): boolean => Object.keys(choice).length === 0

/** Why there is no file. Each text continues a sentence that begins 'The contact file'. */
export const faults = {
  empty: 'would be empty: no row of the campaign is like that',
  tooLarge: (megabytes: number) => `would have more than ${megabytes} MB: choose fewer rows`,
  nameTaken: 'was not kept: another one has taken its name meanwhile',
  campaignGone: 'was not made: its campaign was deleted meanwhile',
  disabled: 'was not made: the account is disabled',
  broken: 'could not be made. Please try again',
}
