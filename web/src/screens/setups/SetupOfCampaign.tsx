import { setupRoutes } from '@ghanti/contract/setups.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { useTexts } from '../../i18n/language.ts'
import SaveSetup from './SaveSetup.tsx'

type SetupOfCampaignProps = { campaignId: number; campaignName: string; close: () => void }

export default function SetupOfCampaign({ campaignId, campaignName, close }: SetupOfCampaignProps) {
  const { save: t } = useTexts('setups')
  return (
    <SaveSetup
      name={campaignName}
      contacts={t.withItsContacts}
      close={close}
      save={(setupName, withContacts) =>
        call(setupRoutes.saveFrom, { campaignId, setupName, withContacts }).finally(() => refresh(setupRoutes.list))
      }
    />
  )
}
