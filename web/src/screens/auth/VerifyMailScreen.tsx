import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { sessionRoutes } from '@ghanti/contract/sessions.ts'
import { summaryMailRoutes } from '@ghanti/contract/summary-mails.ts'
import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/client.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import type { LinkScreen } from '../../signed-out.ts'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

const routeOf = {
  'verify-mail': signInRoutes.verifyMail,
  invitation: signInRoutes.verifyMail,
  'summary-yes': summaryMailRoutes.confirm,
  'summary-no': summaryMailRoutes.stop,
  'not-me': sessionRoutes.notMe,
} satisfies Record<LinkScreen, unknown>

type Invited = ReplyOf<typeof signInRoutes.verifyMail>['invited']

/** Their readers have an account that they know of. */
const ofAccounts: readonly LinkScreen[] = ['verify-mail', 'not-me']

/** Opened from a mailed link, which ends in `token`. Only the button acts, because mail scanners open every link. Needs no session: readers of summaries have no account, and who says 'It was not me' may have none open. */
export default function VerifyMailScreen({ screen, token }: { screen: LinkScreen; token: string }) {
  const { theLink, toConsole, links, invitation } = useTexts('auth')
  const t = links[screen]
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [invited, setInvited] = useState<Invited>()
  const act = async () => {
    setState('busy')
    try {
      const reply = await call(routeOf[screen], { token })
      if ('invited' in reply) setInvited(reply.invited)
      setState('done')
    } catch (error) {
      setState('open')
      showFailure(error, { token: theLink })
    }
  }
  const done = t.done ?? serverText(messages.mailVerified)
  return (
    <AuthCard title={t.title}>
      <div className={classes.form}>
        <h2 className={classes.title}>{t.title}</h2>
        <p className={classes.hint} aria-live="polite">
          {state === 'done' ? done : t.hint}
        </p>
        {state !== 'done' && (
          <Button loading={state === 'busy'} fullWidth onClick={() => void act()}>
            {t.submit}
          </Button>
        )}
        {invited && (
          <>
            <p className={classes.hint}>{invitation.username(invited.username)}</p>
            <Button component="a" href={`${basePath}/update-pwd/${invited.token}`} fullWidth>
              {invitation.choose}
            </Button>
          </>
        )}
        {!invited && (ofAccounts.includes(screen) || (screen === 'invitation' && state === 'done')) && (
          <Anchor href={`${basePath}/login`} className={classes.link}>
            {toConsole}
          </Anchor>
        )}
      </div>
    </AuthCard>
  )
}
