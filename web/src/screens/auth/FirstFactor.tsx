import { factorRoutes } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { logout, refreshSession } from '../../api/session.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { AddApp } from '../profile/AddApp.tsx'
import { AddPasskey } from '../profile/AddPasskey.tsx'
import { RecoveryCodes } from '../profile/RecoveryCodes.tsx'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'
import { hasPasskeys } from './has-passkeys.ts'

/** After the sign-in of an account that must have a second factor and has none. The console follows once it has, and its codes were kept. */
export default function FirstFactor() {
  const { must: t } = useTexts('factors')
  const [app, setApp] = useState<ReplyOf<typeof factorRoutes.beginTotp> | null>(null)
  const [passkey, setPasskey] = useState<ReplyOf<typeof factorRoutes.passkeyOptions> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  // Without codes the console follows all the same: what added the factor works once, and the profile makes codes.
  const withoutCodes = (error: unknown) => {
    showFailure(error)
    return refreshSession()
  }
  const added = () => call(factorRoutes.makeRecovery, {}).then((made) => setCodes(made.codes), withoutCodes)
  const leaving = { added, close: () => void logout(), cancel: t.leave }
  return (
    <AuthCard title={t.title}>
      <h2 className={classes.title}>{t.title}</h2>
      {codes ? (
        <RecoveryCodes codes={codes} close={() => void refreshSession()} />
      ) : app ? (
        <AddApp begun={app} {...leaving} />
      ) : passkey ? (
        <AddPasskey begun={passkey} {...leaving} />
      ) : (
        <Choice
          app={() => void call(factorRoutes.beginTotp, {}).then(setApp, showFailure)}
          passkey={() => void call(factorRoutes.passkeyOptions, {}).then(setPasskey, showFailure)}
        />
      )}
    </AuthCard>
  )
}

/** A passkey where the address has any: it is the easier one, and the safer. */
function Choice({ app, passkey }: { app: () => void; passkey: () => void }) {
  const { must: t } = useTexts('factors')
  const { data } = useQuery(jsonQuery(factorRoutes.list, {}))
  const isOffered = hasPasskeys && data !== undefined && data.passkeyHost !== null
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{t.hint}</p>
      {isOffered && (
        <>
          <p className={classes.hint}>{t.passkeyHint}</p>
          <Button fullWidth onClick={passkey}>
            {t.passkey}
          </Button>
        </>
      )}
      <p className={classes.hint}>{t.appHint}</p>
      <Button fullWidth variant={isOffered ? 'default' : 'filled'} onClick={app}>
        {t.app}
      </Button>
      <Button variant="subtle" fullWidth onClick={() => void logout()}>
        {t.leave}
      </Button>
    </div>
  )
}
