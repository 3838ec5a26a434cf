import { namesOf } from '../../lib/list-of-names.ts'

export const groupWords = {
  noCli: 'is not a caller ID',
  isGroup: 'is a group: a group can have only caller IDs',
  inactive: 'is inactive: it has no trunk',
  inGroups: (groups: readonly string[]) => `is in the caller ID groups ${namesOf(groups)}: take it out first`,
  changedAsGroup: 'is a group: change it as a group',
}
