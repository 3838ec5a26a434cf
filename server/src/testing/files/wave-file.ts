import { createRequire } from 'node:module'
import type * as wavefile from 'wavefile'

/** An independent reader of wav files. Node does not see the names that its package exports. */
export const { WaveFile }: typeof wavefile = createRequire(import.meta.url)('wavefile')
