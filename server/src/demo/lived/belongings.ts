import type { App } from '../../app.ts'
import type { People } from '../people.ts'
import type { FileKey, Owner } from './plan.ts'
import type { VoiceFiles } from './voice-files.ts'

/** What each account calls and writes with. */
export const clis: Record<Owner, string> = { user: '015970001', user2: '015970002', client: '015970004' }
export const senders: Record<Owner, string> = { user: 'HimalBank', user2: 'PokharaMoto', client: 'FewaSchool' }

export type Lived = { app: App; people: People; voices: Record<Owner, VoiceFiles>; bases: Record<FileKey, number> }
