import { useSyncExternalStore } from 'react'
import { serverText, textsOf, useTexts } from '../../../i18n/language.ts'
import { useFormat } from '../../../i18n/format.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import Empty from '../Empty.tsx'
import { showDialog } from '../dialogs/dialogs.ts'
import classes from './ToastHistory.module.css'
import { toastStore } from './toasts.ts'

export function showToastHistory(): void {
  showDialog({ title: textsOf('goTo').toasts.title, render: () => <ToastHistory /> })
}

function ToastHistory() {
  const { toasts } = useTexts('goTo')
  const format = useFormat()
  const said = useSyncExternalStore(toastStore.subscribe, toastStore.said)
  if (said.length === 0) return <Empty drawing="list" text={toasts.none} />
  return (
    <ol className={classes.said}>
      {said.map(({ id, at, text }) => (
        <li key={id}>
          <time>{format.digits(nepalTimeOf(at).slice(11, 16))}</time>
          <span>{serverText(text)}</span>
        </li>
      ))}
    </ol>
  )
}
