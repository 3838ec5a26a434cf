import { keyRoutes, type KeyRow, type KeyState } from '@ghanti/contract/keys.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { jsonQuery, refresh } from '../../../api/query.ts'
import { confirm } from '../../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import classes from '../Security.module.css'
import keyClasses from './Keys.module.css'
import { keysAnchor, showIfAsked } from './anchor.ts'
import { openNewKey, openRoll } from './dialogs.tsx'
import { keyTexts, useKeyTexts } from './texts.ts'

const kinds: Record<KeyState, StatusKind> = {
  active: 'done',
  ending: 'held',
  paused: 'problem',
  ended: 'neutral',
  expired: 'neutral',
  revoked: 'neutral',
}
const works = new Set<KeyState>(['active', 'ending', 'paused'])

/** Keys with which programs act for the own account. */
export function Keys() {
  const t = useKeyTexts()
  const query = useQuery(jsonQuery(keyRoutes.list, {}))
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  return (
    <>
      <div className={classes.part}>
        <div className={classes.about}>
          <h3 id={keysAnchor} ref={showIfAsked} className={classes.name}>
            {t.title}
          </h3>
          <p className={classes.detail}>{t.hint}</p>
        </div>
        <Button variant="default" aria-label={t.createWhat} onClick={() => openNewKey()}>
          {t.create}
        </Button>
      </div>
      <ul className={classes.list}>
        {query.data.map((key) => (
          <Key key={key.keyId} of={key} />
        ))}
      </ul>
    </>
  )
}

function Key({ of: key }: { of: KeyRow }) {
  const t = useKeyTexts()
  const { name, last4, scopes, networks, state, expiresAt, endsAt, usedAt, usedFrom } = key
  const until = state === 'ending' ? endsAt : state === 'active' ? expiresAt : null
  return (
    <li className={classes.signIn}>
      <div className={classes.about}>
        <p className={classes.name}>
          <bdi>{name}</bdi> <span translate="no">…{last4}</span>{' '}
          <Status is={kinds[state]} badge>
            {t.states[state]}
          </Status>
        </p>
        <p className={classes.detail}>{scopes.map((scope) => t.scopes[scope]).join(' · ')}</p>
        <p className={classes.detail}>
          {networks === null ? t.anywhere : <span translate="no">{networks.map(shortOf).join(', ')}</span>}
          {until !== null && (
            <>
              {' · '}
              {t.until} <NepalTime wire={until} />
            </>
          )}
          {' · '}
          {usedAt === null ? (
            t.never
          ) : (
            <>
              {t.used} <NepalTime wire={usedAt} relative />
            </>
          )}
          {usedFrom !== null && (
            <>
              {' · '}
              <span translate="no">{usedFrom}</span>
            </>
          )}
        </p>
        {state === 'paused' && <p className={classes.detail}>{t.pausedHint}</p>}
      </div>
      <div className={keyClasses.actions}>
        {(state === 'active' || state === 'paused') && (
          <Button variant="default" size="compact-sm" aria-label={t.rollTitle(name)} onClick={() => openRoll(key)}>
            {t.roll}
          </Button>
        )}
        {works.has(state) && (
          <Button variant="default" size="compact-sm" aria-label={t.revokeWhat(name)} onClick={() => askRevoke(key)}>
            {t.revoke}
          </Button>
        )}
      </div>
    </li>
  )
}

/** An address alone is stored as a network of one. */
const shortOf = (network: string): string => network.replace(/\/(32|128)$/, '')

function askRevoke({ keyId, name }: KeyRow): void {
  const t = keyTexts()
  confirm({
    title: name,
    verb: t.revoke,
    question: t.revokeQuestion,
    failure: t.revokeFailed,
    labels: t.fields,
    danger: true,
    onYes: async () => {
      await call(keyRoutes.revoke, { keyId }).finally(() => refresh(keyRoutes.list))
      showDone(t.revoked(name))
    },
  })
}
