import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { expect, test, vi } from 'vitest'
import { patchSms, takeFollowup } from './live.ts'
import { queryClient } from './query.ts'

const away = vi.hoisted(() => () => {
  throw new Error('Failed to fetch dynamically imported module')
})
vi.mock('./live-sms.ts', away)
vi.mock('./live-followup.ts', away)

test('what tells of messages and of calls again cannot be loaded: what is on screen is asked for anew', async () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries')
  await patchSms(new Map<number, SmsCampaignRow>())
  expect(asked).toHaveBeenCalledTimes(1)
  await takeFollowup('{}')
  expect(asked).toHaveBeenCalledTimes(2)
})
