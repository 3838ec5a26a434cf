import { mailRoutes } from '@ghanti/contract/mail.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/client.ts'
import { showFailure } from '../../components/ui/dialogs.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

/** Opened from the mailed link, which ends in `token`. Only the button confirms, because mail scanners open every link. */
export default function VerifyMailScreen({ token }: { token: string }) {
  const t = useTexts('auth')
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const confirm = async () => {
    setState('busy')
    try {
      await call(mailRoutes.verify, { token })
      setState('done')
    } catch (error) {
      setState('open')
      showFailure(error, { token: t.theLink })
    }
  }
  return (
    <AuthCard title={t.verifyTitle}>
      <div className={classes.form}>
        <h2 className={classes.title}>{t.verifyTitle}</h2>
        <p className={classes.hint} aria-live="polite">
          {state === 'done' ? serverText(messages.mailVerified) : t.verifyHint}
        </p>
        {state !== 'done' && (
          <Button loading={state === 'busy'} fullWidth onClick={() => void confirm()}>
            {t.verifySubmit}
          </Button>
        )}
        <Anchor href={`${basePath}/login`} className={classes.link}>
          {t.toConsole}
        </Anchor>
      </div>
    </AuthCard>
  )
}
