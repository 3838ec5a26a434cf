/** A demo that has been used for 90 days: accounts with files, campaigns of every template and of messages, money, and what happens just now. */
import type { App } from '../../app.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { createCampaign } from '../../modules/sms-campaigns/actions-compose.ts'
import { pauseCampaign } from '../../modules/voice-campaigns/actions-state.ts'
import { composeCampaign } from '../../modules/voice-compose/actions.ts'
import type { Viewer } from '../../policy.ts'
import type { People } from '../people.ts'
import { demoOrigin } from '../origin.ts'
import { clis, senders, type Lived } from './belongings.ts'
import { composeInput, type Composable } from './compose.ts'
import { uploadContacts } from './contact-files.ts'
import { instantAt, seed, writeHistory, type PastVoice } from './history.ts'
import {
  files,
  keyNames,
  owners,
  smsPlans,
  voiceHeld,
  voicePlans,
  voiceScheduled,
  voiceToday,
  voiceUnderWay,
  type FileKey,
  type Owner,
  type SmsPlan,
  type VoicePlan,
} from './plan.ts'
import { asEngine, prepareText, prepareVoice } from './prepare.ts'
import { makePresent } from './present.ts'
import { makeVoiceFiles, type Sounds, type VoiceFiles } from './voice-files.ts'

const minuteMs = 60_000
const dayMs = 24 * 3600_000
/** Between two rows of campaigns that are over. */
const gapMs = 1600
const keys = Object.keys(files) as FileKey[]

export async function makeLived(app: App, people: People): Promise<void> {
  const made: [Owner, VoiceFiles][] = []
  const sounds: Sounds = new Map()
  for (const owner of owners) made.push([owner, await makeVoiceFiles({ app, people }, owner, sounds)])
  const stored: [FileKey, number][] = []
  for (const key of keys) stored.push([key, await uploadContacts(app, people[files[key].owner], key, seed)])
  const lived = {
    app,
    people,
    voices: Object.fromEntries(made) as Lived['voices'],
    bases: Object.fromEntries(stored) as Lived['bases'],
  }
  const now = app.clock.now()
  const present = { held: 0, newest: new Map<Owner, number>() }
  await asEngine(app, async (at) => {
    const voices: PastVoice[] = []
    const smsIds: number[] = []
    for (const { startAt, voice, sms } of planned(now)) {
      if (sms) {
        const id = await composeText(lived, sms, startAt)
        await prepareText(app, at, id) // one after the other, since one process reads all files
        smsIds.push(id)
      }
      if (!voice) continue
      const id = await composeVoice(lived, voice, startAt)
      await prepareVoice(app, at, id)
      voices.push({ id, gapMs: voice.gapMs, until: Math.min(now.getTime() - 1000, startAt.getTime() + voice.lastsMs) })
      present.newest.set(files[voice.file].owner, id)
      if (voice.name === voiceHeld.name) present.held = id
    }
    await writeHistory(app, people, at, { voices, smsIds })
  })
  const reason = 'Please have the price in the recording checked first'
  await pauseCampaign({ app, viewer: people.reseller, origin: demoOrigin }, { campaignId: present.held, reason })
  await composeScheduled(lived, now)
  await makePresent(lived, present.newest)
}

type Voice = Pick<VoicePlan, 'name' | 'template' | 'file'> & { gapMs: number; lastsMs: number; channels?: number }
type Planned = { startAt: Date; voice?: Voice; sms?: SmsPlan }

/** The oldest first. */
function planned(now: Date): Planned[] {
  const since = (minutes: number): Date => new Date(now.getTime() - minutes * minuteMs)
  const over = { gapMs, lastsMs: dayMs }
  return [
    ...voicePlans.map((voice) => ({
      startAt: instantAt(now, voice.daysAgo, voice.hour),
      voice: { ...voice, ...over },
    })),
    ...smsPlans.map((sms) => ({ startAt: instantAt(now, sms.daysAgo, sms.hour), sms })),
    { startAt: since(voiceToday.minutesAgo), voice: { ...voiceToday, ...over } },
    { startAt: since(voiceHeld.minutesAgo), voice: { ...voiceHeld, gapMs: 20_000, lastsMs: 8 * minuteMs } },
    { startAt: since(voiceUnderWay.minutesAgo), voice: { ...voiceUnderWay, gapMs: 4200, lastsMs: dayMs, channels: 2 } },
  ].toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime())
}

/** An action as it was done then. */
function asOf({ app, people }: Lived, owner: Owner, at: Date) {
  const viewer: Viewer = people[owner]
  return { app: { ...app, clock: { ...app.clock, now: () => at } }, viewer, origin: demoOrigin }
}

function composable(
  { voices, bases }: Lived,
  { name, template, file }: Pick<VoicePlan, 'name' | 'template' | 'file'>,
): Composable {
  const { owner } = files[file]
  const keyLabels = keyNames[owner][template]
  return { name, template, cli: clis[owner], baseId: bases[file], voices: voices[owner], keyLabels }
}

async function composeVoice(lived: Lived, voice: Voice, startAt: Date): Promise<number> {
  const { channels } = voice
  const input = { ...composeInput(composable(lived, voice)), ...(channels && { channels }) }
  const { campaignId } = await composeCampaign(asOf(lived, files[voice.file].owner, startAt), input)
  return campaignId
}

async function composeText(lived: Lived, { name, text, file }: SmsPlan, startAt: Date): Promise<number> {
  const { owner } = files[file]
  const input = { campaignName: name, templateId: 0, baseId: lived.bases[file], cli: senders[owner], smsText: text }
  const campaignId = await createCampaign(asOf(lived, owner, startAt), input)
  return campaignId
}

async function composeScheduled(lived: Lived, now: Date): Promise<void> {
  const scheduleTime = nepalTimeOf(instantAt(now, -1, 10))
  const input = { ...composeInput(composable(lived, voiceScheduled)), scheduleTime }
  await composeCampaign(asOf(lived, files[voiceScheduled.file].owner, now), input)
}
