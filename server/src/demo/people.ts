import type { demoAccounts } from '@ghanti/contract/auth.ts'
import type { Viewer } from '../policy.ts'

type Username = (typeof demoAccounts)[number]
export type People = Record<Username, Viewer>
