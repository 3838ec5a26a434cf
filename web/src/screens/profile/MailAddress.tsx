import { mailRoutes, type MailState } from '@ghanti/contract/mail.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { Button } from '@mantine/core'
import { useWrite } from '../../api/query.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './ProfileScreen.module.css'

export function MailAddress({ address, state }: { address: string; state: MailState }) {
  const t = useTexts('profile')
  const again = useWrite(mailRoutes.sendAgain, [userRoutes.profile])
  if (state === 'confirmed' || state === 'none') return address
  const send = () =>
    again.mutate(
      { input: {} },
      {
        onSuccess: () => showDone(t.linkSent(address)),
        onError: (error) => showFailure(error, { emailid: t.emailid }),
      },
    )
  return (
    <>
      {address}
      <span className={classes.warning}>{state === 'waiting' ? t.mailWaits : t.mailUnconfirmed}</span>
      {state === 'unconfirmed' && (
        <Button size="compact-sm" variant="default" loading={again.isPending} onClick={send}>
          {t.sendAgain}
        </Button>
      )}
    </>
  )
}
