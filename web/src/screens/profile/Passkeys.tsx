import { factorRoutes, type FactorRow } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { sessionRoutes } from '@ghanti/contract/sessions.ts'
import { Button } from '@mantine/core'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { confirm, showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useTexts } from '../../i18n/language.ts'
import { hasPasskeys } from '../auth/has-passkeys.ts'
import { AddPasskey } from './AddPasskey.tsx'
import classes from './Security.module.css'

type Own = ReplyOf<typeof factorRoutes.list>
type PasskeysProps = {
  own: Own
  /** After the first factor: the recovery codes. */
  added: () => Promise<void>
}

/** Each belongs to one address; those of others are listed, too. */
export function Passkeys({ own, added }: PasskeysProps) {
  const { passkeys: t } = useTexts('factors')
  const { factors, passkeyHost: host, passkeyFault, isRequired } = own
  const isHere = factors.some(({ passkey }) => passkey?.host === host)
  const isElsewhere = factors.some(({ passkey }) => passkey !== undefined) && !isHere
  const fault = passkeyFault === null ? (hasPasskeys ? null : t.noBrowser) : fieldText(t.one, passkeyFault)
  return (
    <>
      <div className={classes.part}>
        <div className={classes.about}>
          <h3 className={classes.name}>{t.title}</h3>
          <p className={classes.detail}>{t.hint}</p>
          {fault !== null && <p className={classes.detail}>{fault}</p>}
          {fault === null && isElsewhere && host !== null && <p className={classes.detail}>{t.notHere(host)}</p>}
        </div>
        <Button variant="default" aria-label={t.addWhat} disabled={fault !== null} onClick={() => void begin(t, added)}>
          {t.add}
        </Button>
      </div>
      <ul className={classes.list}>
        {factors.map(
          (factor) =>
            factor.passkey && (
              <Passkey
                key={factor.factorId}
                factor={factor}
                passkey={factor.passkey}
                isLast={isRequired && factors.length === 1}
              />
            ),
        )}
      </ul>
    </>
  )
}

type PasskeyProps = { factor: FactorRow; passkey: NonNullable<FactorRow['passkey']>; isLast: boolean }

function Passkey({ factor: { factorId, addedAt, usedAt }, passkey, isLast }: PasskeyProps) {
  const t = useTexts('factors')
  const { name, host, synced, needsPassword } = passkey
  return (
    <li className={classes.signIn}>
      <div className={classes.about}>
        <p className={classes.name}>
          <span translate="no">{name}</span>{' '}
          {needsPassword && (
            <Status is="held" badge>
              {t.passkeys.needsPassword}
            </Status>
          )}
        </p>
        <p className={classes.detail}>
          <span translate="no">{host}</span> · {t.added} <NepalTime wire={addedAt} /> ·{' '}
          {usedAt === null ? (
            t.never
          ) : (
            <>
              {t.used} <NepalTime wire={usedAt} relative />
            </>
          )}
          {synced && ` · ${t.passkeys.synced}`}
        </p>
        {isLast && <p className={classes.detail}>{t.passkeys.last}</p>}
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t.passkeys.removeWhat(name)}
        disabled={isLast}
        onClick={() => askToRemove(factorId, name, t)}
      >
        {t.remove}
      </Button>
    </li>
  )
}

async function begin(t: TextsOf<'factors'>['passkeys'], done: () => Promise<void>): Promise<void> {
  try {
    const begun = await call(factorRoutes.passkeyOptions, {})
    const added = async (close: () => void) => {
      close()
      showDone(t.added)
      void refresh(factorRoutes.list, sessionRoutes.list) // the first one ends the other sessions
      await done()
    }
    showDialog({ title: t.addWhat, size: 'md', render: (close) => <AddPasskey {...{ begun, added, close }} /> })
  } catch (error) {
    showFailure(error, { passkey: t.one })
  }
}

function askToRemove(factorId: number, name: string, { passkeys: t, remove }: TextsOf<'factors'>): void {
  confirm({
    title: t.removeWhat(name),
    verb: remove,
    question: t.removeQuestion,
    failure: t.removeFailed,
    labels: { factorId: t.one },
    danger: true,
    onYes: async () => {
      await call(factorRoutes.remove, { factorId })
      void refresh(factorRoutes.list)
      showDone(t.removed)
    },
  })
}
