import { repeatRoutes, type Repeat } from '@ghanti/contract/repeats.ts'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'

const { list, detail } = repeatRoutes
const deeds = {
  pause: repeatRoutes.pause,
  resume: repeatRoutes.resume,
  end: repeatRoutes.end,
  delete: repeatRoutes.delete,
}
type Deed = keyof typeof deeds

const icons = { pause: IconPlayerPause, resume: IconPlayerPlay }
const possibleIn: Record<Deed, readonly Repeat['repeatState'][]> = {
  pause: ['active'],
  resume: ['paused'],
  end: ['active', 'paused'],
  delete: ['ended'],
}

type Subject = Pick<Repeat, 'repeatId' | 'repeatName' | 'repeatState'>

/** `afterDelete`: leaves its page. */
export function repeatMenu(row: Subject, t: TextsOf<'repeats'>, afterDelete?: () => void): MenuAction[] {
  return (Object.keys(deeds) as Deed[]).map((deed) => ({
    label: t.actions[deed],
    danger: deed === 'end' || deed === 'delete',
    disabledReason: possibleIn[deed].includes(row.repeatState) ? undefined : t.refusals[deed],
    ...(deed in icons && { icon: icons[deed as keyof typeof icons] }),
    onClick: () =>
      confirm({
        title: row.repeatName,
        verb: t.actions[deed],
        question: t.questions[deed],
        failure: t.failures[deed],
        labels: t.fields,
        danger: deed === 'end' || deed === 'delete',
        onYes: async () => {
          await call(deeds[deed], { repeatId: row.repeatId })
          if (deed === 'delete') afterDelete?.()
          void refresh(list, ...(deed === 'delete' ? [] : [detail]))
        },
      }),
  }))
}
