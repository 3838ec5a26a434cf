import { factorRoutes } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { sessionRoutes } from '@ghanti/contract/sessions.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { confirm, showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AddApp } from './AddApp.tsx'
import { Passkeys } from './Passkeys.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import classes from './Security.module.css'

type Own = ReplyOf<typeof factorRoutes.list>

/** What the own account proves itself with besides its password. */
export default function Factors() {
  const query = useQuery(jsonQuery(factorRoutes.list, {}))
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return query.data ? <Parts own={query.data} /> : null
}

function Parts({ own }: { own: Own }) {
  const t = useTexts('factors')
  const format = useFormat()
  const app = own.factors.find(({ kind }) => kind === 'totp')
  const isLast = own.isRequired && own.factors.length === 1
  const hasFactor = own.factors.length > 0
  const { recoveryCodes: left } = own
  const renew = () =>
    left === null
      ? void makeCodes(t).catch(showFailure)
      : confirm({
          title: t.codes,
          verb: t.renew,
          question: t.renewQuestion,
          failure: t.renewFailed,
          onYes: () => makeCodes(t),
        })
  return (
    <>
      <Passkeys own={own} added={() => (left === null ? makeCodes(t).catch(showFailure) : Promise.resolve())} />
      <div className={classes.part}>
        <div className={classes.about}>
          <h3 className={classes.name}>
            {t.app}{' '}
            {app && (
              <Status is="done" badge>
                {t.on}
              </Status>
            )}
          </h3>
          <p className={classes.detail}>
            {t.hint} {t.appHint}
          </p>
          {isLast && <p className={classes.detail}>{t.required}</p>}
          {app && (
            <p className={classes.detail}>
              {t.added} <NepalTime wire={app.addedAt} /> ·{' '}
              {app.usedAt === null ? (
                t.never
              ) : (
                <>
                  {t.used} <NepalTime wire={app.usedAt} relative />
                </>
              )}
            </p>
          )}
        </div>
        <Button variant="default" onClick={() => void begin(t, left === null)}>
          {app ? t.change : t.add}
        </Button>
        {app && (
          <Button
            variant="default"
            aria-label={t.removeWhat}
            disabled={isLast}
            onClick={() => askToRemove(app.factorId, own.factors.length === 1, t)}
          >
            {t.remove}
          </Button>
        )}
      </div>
      {hasFactor && (
        <div className={classes.part}>
          <div className={classes.about}>
            <h3 className={classes.name}>{t.codes}</h3>
            <p className={classes.detail}>
              {t.codesHint} {left === null ? t.noCodes : t.left(format.count(left))}
            </p>
          </div>
          <Button variant="default" onClick={renew}>
            {left === null ? t.make : t.renew}
          </Button>
        </div>
      )}
    </>
  )
}

type Texts = TextsOf<'factors'>

/** The app first, then, where there are none yet, the codes for the day when it is lost. */
async function begin(t: Texts, needsCodes: boolean): Promise<void> {
  try {
    const begun = await call(factorRoutes.beginTotp, {})
    const added = async (close: () => void) => {
      close()
      showDone(t.adding.done)
      void refresh(factorRoutes.list, sessionRoutes.list) // the first one ends the other sessions
      if (needsCodes) await makeCodes(t).catch(showFailure)
    }
    showDialog({ title: t.adding.title, size: 'md', render: (close) => <AddApp {...{ begun, added, close }} /> })
  } catch (error) {
    showFailure(error)
  }
}

async function makeCodes(t: Texts): Promise<void> {
  const { codes } = await call(factorRoutes.makeRecovery, {})
  void refresh(factorRoutes.list)
  // After the dialog that asked has closed itself.
  setTimeout(() => {
    showDialog({ title: t.shown.title, size: 'md', render: (close) => <RecoveryCodes {...{ codes, close }} /> })
  })
}

function askToRemove(factorId: number, isLast: boolean, t: Texts): void {
  confirm({
    title: t.app,
    verb: t.remove,
    question: isLast ? t.removeQuestion : t.removeOneQuestion,
    failure: t.removeFailed,
    labels: { factorId: t.app },
    danger: true,
    onYes: async () => {
      await call(factorRoutes.remove, { factorId })
      void refresh(factorRoutes.list)
      showDone(t.removed)
    },
  })
}
