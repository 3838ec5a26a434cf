import type { CliGroup, lineRoutes } from '@ghanti/contract/lines.ts'
import type { SentOf } from '../../api/client.ts'

/** A caller ID as chosen, with the label under which it was found, and its weight as typed. */
export type MemberValues = { cliId: string | null; label: string; weight: string }
type MemberPath = `members.${number}.${keyof MemberValues}`
export type GroupValues = {
  groupName: string
  trunkName: string | null
  pool: string | null
  members: MemberValues[]
  [path: MemberPath]: string | null
}

export const blankMember: MemberValues = { cliId: null, label: '', weight: '1' }
export const blankGroup: GroupValues = { groupName: '', trunkName: null, pool: 'dedicated', members: [blankMember] }

export function valuesOfGroup(group: CliGroup, labelOf: (cli: string) => string): GroupValues {
  return {
    groupName: group.groupName,
    trunkName: group.trunkName,
    pool: null,
    members: group.members.map(({ cliId, cli, weight }) => ({
      cliId: String(cliId),
      label: labelOf(cli),
      weight: String(weight),
    })),
  }
}

export function groupProblems({ groupName, trunkName, members }: GroupValues): Record<string, string> {
  const missing = members.flatMap(({ cliId }, n) => (cliId === null ? [[`members.${n}.cliId`, 'is required']] : []))
  return {
    ...(groupName.trim() ? {} : { groupName: 'is required' }),
    ...(trunkName === null ? { trunkName: 'is required' } : {}),
    ...Object.fromEntries(missing),
  }
}

export function toGroup({
  groupName,
  trunkName,
  members,
}: GroupValues): Omit<SentOf<typeof lineRoutes.updateGroup>, 'cliId'> {
  return {
    groupName: groupName.trim(),
    trunkName: trunkName ?? '',
    members: members.map(({ cliId, weight }) => ({ cliId: cliId ?? '', weight: weight.trim() })),
  }
}
