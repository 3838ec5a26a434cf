import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { SaveSetupProps } from './SaveSetup.tsx'

const SaveSetup = late(() => import('./SaveSetup.tsx'))
const SetupOfCampaign = late(() => import('./SetupOfCampaign.tsx'))
const RenameSetup = late(() => import('./RenameSetup.tsx'))

export async function openSaveSetup(asked: Omit<SaveSetupProps, 'close'>): Promise<void> {
  await loadTexts('setups')
  showDialog({
    title: textsOf('setups').save.title,
    size: 'md',
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <SaveSetup {...asked} close={close} />
      </Suspense>
    ),
  })
}

export async function openSetupOf(campaign: { campaignId: number; campaignName: string }): Promise<void> {
  await loadTexts('setups')
  showDialog({
    title: textsOf('setups').save.title,
    size: 'md',
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <SetupOfCampaign {...campaign} close={close} />
      </Suspense>
    ),
  })
}

export function openRenameSetup(setup: { setupId: number; setupName: string }): void {
  showDialog({
    title: textsOf('setups').renameTitle(setup.setupName),
    size: 'md',
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <RenameSetup setup={setup} close={close} />
      </Suspense>
    ),
  })
}
