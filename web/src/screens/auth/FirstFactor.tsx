import { factorRoutes } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { logout, refreshSession } from '../../api/session.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { AddApp } from '../profile/AddApp.tsx'
import { RecoveryCodes } from '../profile/RecoveryCodes.tsx'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

/** After the sign-in of an account that must have a second factor and has none. The console follows once it has, and its codes were kept. */
export default function FirstFactor() {
  const { must: t } = useTexts('factors')
  const [begun, setBegun] = useState<ReplyOf<typeof factorRoutes.beginTotp> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const begin = () => call(factorRoutes.beginTotp, {}).then(setBegun, showFailure)
  const added = () => call(factorRoutes.makeRecovery, {}).then((made) => setCodes(made.codes), showFailure)
  return (
    <AuthCard title={t.title}>
      <h2 className={classes.title}>{t.title}</h2>
      {codes ? (
        <RecoveryCodes codes={codes} close={() => void refreshSession()} />
      ) : begun ? (
        <AddApp begun={begun} added={added} close={() => void logout()} cancel={t.leave} />
      ) : (
        <div className={classes.form}>
          <p className={classes.hint}>{t.hint}</p>
          <Button fullWidth onClick={() => void begin()}>
            {t.begin}
          </Button>
          <Button variant="default" fullWidth onClick={() => void logout()}>
            {t.leave}
          </Button>
        </div>
      )}
    </AuthCard>
  )
}
