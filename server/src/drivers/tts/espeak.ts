import { createRequire } from 'node:module'
import * as z from 'zod'
import { pitchOf100, variant, wordsPerMinute } from './espeak-module.ts'
import { speechTextMax, UnspeakableError, type TtsDriver } from './driver.ts'
import { SpeechThreads, type SpeechThreadOptions } from './speech-threads.ts'

const packageFile: unknown = createRequire(import.meta.url)('@echogarden/espeak-ng-emscripten/package.json')
const { version } = z.object({ version: z.string() }).parse(packageFile)

/** espeak-ng compiled to JavaScript, in threads of its own: nothing needs to be installed, and no text leaves the machine. */
export function espeakTts(options: SpeechThreadOptions = {}): TtsDriver {
  const threads = new SpeechThreads({ engine: true, ...options })
  return {
    name: 'espeak-ng',
    key: `espeak-ng ${version} ${variant} ${wordsPerMinute.ne} ${wordsPerMinute.en} ${pitchOf100}`,
    atOnce: threads.atOnce,
    synthesise(text, language) {
      if (text.length > speechTextMax) return Promise.reject(tooLong)
      return threads.run({ text, language })
    },
    close: () => threads.close(),
  }
}

const tooLong = new UnspeakableError(`it is longer than ${speechTextMax} characters`)
