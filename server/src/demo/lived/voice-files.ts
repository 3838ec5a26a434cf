import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import type { App } from '../../app.ts'
import type { SpeechLanguage } from '../../drivers/tts/driver.ts'
import { decidePrompt, uploadPrompt } from '../../modules/prompts/actions.ts'
import type { Viewer } from '../../policy.ts'
import { demoOrigin } from '../origin.ts'
import { tonesWav } from '../tones.ts'
import type { People } from '../people.ts'
import type { Owner } from './plan.ts'

type Said = { name: string; category: PromptCategory; text: string }
const said = (name: string, category: PromptCategory, text: string): Said => ({ name, category, text })

const language: SpeechLanguage = 'ne'
/** In the words of every company, so that each is spoken once. */
const common = {
  thanks: said('Thank you', 'thanks', 'धन्यवाद।'),
  before: said('Here is what we noted', 'menu', 'तपाईंको विवरण यस्तो छ।'),
  after: said('Please be in time', 'menu', 'कृपया समयमै आउनुहोला।'),
  yes: said('See you then', 'optin', 'हुन्छ, भेटौँला।'),
  no: said('Another time', 'optout', 'हुन्छ, अर्को पटक।'),
  other: said('Another day', 'action', 'अर्को दिन मिलाउनेछौँ।'),
}
const offer = 'चाहनुहुन्छ भने एक थिच्नुहोस्। पछि फोन गर्न दुई, नचाहिए तीन थिच्नुहोस्।'

const companies: Record<Owner, { welcome: Said; menu: Said }> = {
  user: {
    welcome: said('Himal Bank greets', 'welcome', 'नमस्ते। हिमाल बैंकबाट फोन गरेको हो।'),
    menu: said('Offer with keys', 'menu', offer),
  },
  user2: {
    welcome: said('Pokhara Motors greets', 'welcome', 'नमस्ते। पोखरा मोटर्सबाट फोन गरेको हो।'),
    menu: said('Choose a key', 'menu', offer),
  },
  client: {
    welcome: said('Fewa School greets', 'welcome', 'नमस्ते। फेवा स्कूलबाट फोन गरेको हो।'),
    menu: said('Will you come', 'menu', 'आउनुहुन्छ भने एक थिच्नुहोस्। नआउने भए दुई थिच्नुहोस्।'),
  },
}

/** What waits for the super admin's approval. */
const waitingVoiceFiles: Record<Exclude<Owner, 'user2'>, Said> = {
  user: said('Fixed deposit, new rate', 'welcome', 'नयाँ ब्याजदरमा मुद्दती खाता खोल्नुहोस्।'),
  client: said('Annual day invitation', 'welcome', 'वार्षिकोत्सवमा सबै अभिभावकलाई निमन्त्रणा छ।'),
}

type Role = 'welcome' | 'menu' | keyof typeof common | keyof typeof tones
export type VoiceFiles = Record<Role, number>
/** Sounds that were made, by their text. */
export type Sounds = Map<string, Promise<Uint8Array>>

const tones = {
  noInput: { name: 'Nothing pressed', category: 'noinput', text: [392, 330] },
  wrongInput: { name: 'No such key', category: 'wronginput', text: [330, 262] },
} as const

/** Spoken by the speech engine, or tones; then uploaded and approved by the actions of the console. */
export async function makeVoiceFiles(
  { app, people }: { app: App; people: People },
  owner: Owner,
  sounds: Sounds,
): Promise<VoiceFiles> {
  const viewer = people[owner]
  const texts = Object.entries({ ...companies[owner], ...common })
  const voices = await Promise.all(
    texts.map(async ([role, one]) => ({ role, ...one, wav: await spoken(app, one.text, sounds) })),
  )
  const beeps = Object.entries(tones).map(([role, one]) => ({ role, ...one, wav: tonesWav(one.text) }))
  const made: [string, number][] = []
  for (const { role, ...sound } of [...voices, ...beeps]) {
    const promptId = await upload(app, viewer, sound)
    const decision = { promptId, status: 'approved', reason: null } as const
    await decidePrompt({ app, viewer: people.superadmin, origin: demoOrigin }, decision)
    made.push([role, promptId])
  }
  return Object.fromEntries(made) as VoiceFiles
}

function spoken(app: App, text: string, sounds: Sounds): Promise<Uint8Array> {
  const made = sounds.get(text) ?? app.tts.synthesise(text, language).then(({ wav }) => wav)
  sounds.set(text, made)
  return made
}

/** It waits for the super admin. */
export async function makeWaiting(app: App, viewer: Viewer, owner: keyof typeof waitingVoiceFiles): Promise<void> {
  const one = waitingVoiceFiles[owner]
  await upload(app, viewer, { ...one, wav: await spoken(app, one.text, new Map()) })
}

type Sound = Pick<Said, 'name' | 'category'> & { wav: Uint8Array }

async function upload(app: App, viewer: Viewer, { name, category, wav }: Sound): Promise<number> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'ghanti-demo-'))
  try {
    const file = path.join(folder, 'sound.wav')
    await fs.writeFile(file, wav)
    const wave = { path: file, size: wav.length, fileName: `${name}.wav`, declaredType: 'audio/wav' }
    return (await uploadPrompt({ app, viewer, origin: demoOrigin }, { name, category, wave })).promptId
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
