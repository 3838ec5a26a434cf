import type { CampaignAnswers } from '@ghanti/contract/answers.ts'

type Place = CampaignAnswers['places'][number]

/**
 * The parts that every call passes on its way, each heard by no fewer calls than all that follow, so that the funnel never rises. What only some
 * hear in between, such as the answer to a wrong key, and the silences after menus are no steps of it.
 */
export function funnelOf(places: readonly Place[]): Place[] {
  let later = 0
  return places
    .toReversed()
    .filter(({ place, heard }) => {
      const isStep = heard > 0 && heard >= later && !place.endsWith('?')
      if (!place.endsWith('?')) later = Math.max(later, heard)
      return isStep
    })
    .toReversed()
}
