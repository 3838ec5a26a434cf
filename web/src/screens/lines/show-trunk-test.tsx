import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { Suspense } from 'react'
import { call } from '../../api/client.ts'
import { showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import classes from './Lines.module.css'

const TrunkTest = late(() => import('./TrunkTest.tsx'))

type About = { trunkId: number; trunkName: string }

export function showTrunkTest({ trunkId, trunkName }: About, t: TextsOf<'lines'>, begun: number | null = null): void {
  showDialog({
    title: t.test.title(trunkName),
    render: () => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <TrunkTest trunkId={trunkId} begun={begun} />
      </Suspense>
    ),
  })
}

/** Begins with a ping. */
export async function beginTrunkTest(about: About, t: TextsOf<'lines'>): Promise<void> {
  try {
    const { testId } = await call(trunkRoutes.test, { trunkId: about.trunkId, testKind: 'ping' })
    showTrunkTest(about, t, testId)
  } catch (error) {
    showFailure(error)
  }
}
