import { hookRoutes, type HookRow } from '@ghanti/contract/hooks.ts'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { confirm, showDialog } from '../../../components/ui/dialogs/dialogs.ts'
import { KeyShown } from '../keys/KeyShown.tsx'
import { HookForm } from './HookForm.tsx'
import { hookTexts } from './texts.ts'

export function openNewHook(): void {
  const title = hookTexts().createWhat
  showDialog({ title, size: 'md', render: (close) => <HookForm made={showSecret(close)} close={close} /> })
}

export function openChange(hook: HookRow): void {
  const t = hookTexts()
  const title = t.changeTitle(hook.host ?? t.byProgram)
  showDialog({ title, size: 'md', render: (close) => <HookForm hook={hook} close={close} /> })
}

export function askRotate({ hookId, host }: HookRow): void {
  const t = hookTexts()
  confirm({
    title: host ?? '',
    verb: t.rotate,
    question: t.rotateQuestion,
    failure: t.rotateFailed,
    labels: t.fields,
    onYes: async () => {
      const { secret } = await call(hookRoutes.rotate, { hookId })
      showSecret(() => undefined)(secret)
    },
  })
}

/** In place of what asked for it. */
const showSecret = (close: () => void) => (secret: string | null) => {
  void refresh(hookRoutes.list)
  close()
  if (secret === null) return
  // After that dialog has closed itself.
  setTimeout(() => {
    const { shown } = hookTexts()
    showDialog({
      title: shown.title,
      size: 'md',
      render: (done) => <KeyShown value={secret} texts={shown} close={done} />,
    })
  })
}
