import { showing } from '@ghanti/contract/shown-clis.ts'
import { namesOf } from '../../lib/list-of-names.ts'

/** A trunk and the only caller IDs that its operator lets us show; none: any. */
export type ShowingTrunk = { name: string; shownClis: readonly string[] }
/** What calls of a caller ID show: the number, or those of a group with this name. */
export type Shown = { number: string; members: readonly string[] | null }

export function notShownOver({ shownClis }: ShowingTrunk, clis: readonly Shown[]): string[] {
  const shows = showing(shownClis)
  return clis.filter(({ number, members }) => !(members ?? [number]).some(shows)).map(({ number }) => number)
}

export const shownWords = {
  mayNot: (trunk: string, clis: readonly string[]) => `cannot be used: trunk '${trunk}' may not show ${namesOf(clis)}`,
  stillShown: (_: string, clis: readonly string[]) => `lack ${namesOf(clis)}, which calls over the trunk show`,
  lineMayNot: (trunk: string) => `the number may not be shown over trunk '${trunk}'`,
  memberMayNot: (cli: string) => `have '${cli}', which may be shown over none of the trunks`,
  noneMay: 'may not be shown: the operators of its trunks allow other caller IDs',
  noneActive: 'has no active caller ID',
}
