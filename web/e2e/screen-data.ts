import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { repeatRoutes } from '@ghanti/contract/repeats.ts'
import { setupRoutes } from '@ghanti/contract/setups.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'
import { traceRoutes } from '@ghanti/contract/traces.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { voiceRoutes } from '@ghanti/contract/voices.ts'
import { vi } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import type { Caller } from '../../server/src/testing/wire.ts'
import type { Ids } from './screens.ts'

const tomorrow = nepalTimeOf(new Date(Date.now() + 24 * 3600_000))

/** What a user's screens show: a campaign that ends soon, a waiting one, a voice file to decide on, a voice pack, texts, contacts, set-ups. */
export async function dataForScreens(api: Caller): Promise<Omit<Ids, 'attemptId' | 'testId'>> {
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const [menu] = await api.ask(promptRoutes.list, { userId: api.userId, promptCategory: 'menu', promptStatus: '1' })
  const contactList = '9841000001\n9841000011\n9841000050\nnonsense\n9841000050'
  const { baseId } = await api.ask(contactRoutes.paste, { contactList })
  const campaign = {
    templateId: 1,
    cli: line?.cli,
    baseId,
    menuPId: menu?.promptId,
    dtmf: '1,2',
    menuWaitTime: 3,
    rePrompt: 1,
  }
  const done = await api.ask(composeRoutes.compose, { ...campaign, campaignName: 'Screens, done' })
  await api.ask(composeRoutes.compose, {
    ...campaign,
    campaignName: 'Screens, later',
    scheduleTime: tomorrow,
  })
  const { campaignId } = done
  const waveFile = toneFile('x.wav', 1)
  await api.ask(promptRoutes.upload, { waveFile, fileName: 'To be decided', promptCategory: 'thanks' })
  const { packId } = await api.ask(voiceRoutes.create, { name: 'To be heard', language: 'ne' })
  await api.ask(voiceRoutes.upload, { packId, voiceFile: toneFile('may.wav', 1) })
  const [sender] = await api.ask(smsSenderRoutes.list, { userId: api.userId, cliStatus: '1' })
  const message = { campaignName: 'Screens, sent', templateId: 0, cli: sender?.cliName, baseId, smsText: 'Hello' }
  const { campaignId: smsCampaignId } = await api.ask(smsComposeRoutes.create, message)
  const baseFile = new File(['Mobile,Name,City\n9841000001,Sita,Kathmandu\nnonsense,Ram,Pokhara\n'], 'Screens.csv')
  const stored = await api.ask(contactRoutes.baseUpload, { baseName: 'Screens', baseFile })
  const { setupId } = await api.ask(setupRoutes.saveFrom, { campaignId, setupName: 'Screens' })
  const { setupId: bareSetupId } = await api.ask(setupRoutes.save, { setupName: 'Screens, bare', templateId: 1 })
  const repeat = { rule: 'weekly', weekdays: [0, 3], time: '10:00' } as const
  const { repeatId } = await api.ask(repeatRoutes.create, {
    ...repeat,
    repeatName: 'Screens',
    setupId,
    baseId: stored.baseId,
    fromDay: tomorrow.slice(0, 10),
    untilDay: nepalDayOf(new Date(Date.now() + 30 * 24 * 3600_000)),
  })
  return { campaignId, smsCampaignId, packId, baseId: stored.baseId, repeatId, bareSetupId }
}

/** A call of that campaign and a trunk's test, as soon as their SIP messages are there. */
export async function callsForScreens(admin: Caller, campaignId: number): Promise<Pick<Ids, 'attemptId' | 'testId'>> {
  const { testId } = await admin.ask(trunkRoutes.test, { trunkId: 1, testKind: 'call', number: '9841000001' })
  const [call] = await admin.ask(callReportRoutes.ofCampaign, { campaignId })
  const attemptId = call?.attemptId ?? 0
  await vi.waitFor(() => admin.ask(traceRoutes.ofCall, { attemptId }), polling)
  await vi.waitFor(() => admin.ask(traceRoutes.ofTest, { testId }), polling)
  return { attemptId, testId }
}
