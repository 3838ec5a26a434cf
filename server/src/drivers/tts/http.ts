import { setTimeout as sleep } from 'node:timers/promises'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { isWav } from '@ghanti/callflow/sound/riff.ts'
import {
  SpeechDownError,
  speechTextMax,
  UnspeakableError,
  type Speech,
  type SpeechLanguage,
  type TtsDriver,
} from './driver.ts'
import { SpeechThreads } from './speech-threads.ts'

export type HttpTtsOptions = {
  url: string
  /** Null when the engine asks for none. */
  token: string | null
  /** How long one request may take. */
  answerMs?: number
  /** Before the second attempt; doubled before each further one. */
  againMs?: number
}

const atOnce = 4
const tries = 3
/** Two minutes at 48 kHz, 16 bit, mono. */
const answerBytesMax = 12_000_000
const reasonMax = 200

/** The engine itself says that this text has no sound. */
class RefusedError extends UnspeakableError {}

/**
 * A speech engine behind HTTP: POST {text, language} as JSON with a bearer token; it returns a wav file. 400 and 422 mean that this text cannot be
 * spoken; other failures are the engine's and are retried. When the engine has failed for good, waiting texts fail too: each would only wait as long
 * for the same result.
 */
export function httpTts({ url, token, answerMs = 20_000, againMs = 500 }: HttpTtsOptions): TtsDriver {
  const threads = new SpeechThreads()
  const turns = new FairSemaphore(atOnce)
  const closing = new AbortController()
  let failures = 0
  let failure: SpeechDownError | undefined

  async function ask(text: string, language: SpeechLanguage): Promise<Speech> {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'audio/wav',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ text, language }),
      redirect: 'error', // the token is for this address only
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerMs)]),
    })
    const bytes = await bodyOf(reply)
    if (reply.status === 400 || reply.status === 422) throw new RefusedError(reasonIn(bytes, reply.status))
    if (!reply.ok) throw new SpeechDownError(`it answers ${reply.status}`)
    if (!isWav(bytes)) throw new SpeechDownError('its answer is not a wav file')
    return await threads.run({ file: bytes })
  }

  /** `before`: the number of failures when the text was given. */
  async function askAgain(text: string, language: SpeechLanguage, before: number): Promise<Speech> {
    if (failure && failures > before) throw failure
    for (let left = tries - 1; ; left--) {
      try {
        return await ask(text, language)
      } catch (error) {
        if (error instanceof RefusedError) throw error
        if (left === 0 || failures > before || closing.signal.aborted) throw failed(error)
        await sleep(againMs * 2 ** (tries - 1 - left), undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  function failed(error: unknown): Error {
    const known = failureOf(error)
    if (known instanceof SpeechDownError) {
      failures += 1
      failure = known
    }
    return known
  }

  return {
    name: 'speech engine', // customers read this name; the address is the operator's business
    key: `http ${url}`,
    atOnce,
    synthesise(text, language) {
      if (text.length > speechTextMax)
        return Promise.reject(new UnspeakableError(`it is longer than ${speechTextMax} characters`))
      const before = failures
      return turns.run(() => askAgain(text, language, before))
    },
    async close() {
      closing.abort()
      await threads.close()
    },
  }
}

/** The whole body, or an error: it never takes more memory than allowed. */
async function bodyOf(reply: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of reply.body ?? []) {
    length += chunk.length
    if (length > answerBytesMax) throw new SpeechDownError(`its answer has more than ${answerBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function reasonIn(bytes: Uint8Array, status: number): string {
  const text = Buffer.from(bytes.subarray(0, 4 * reasonMax))
    .toString('utf8')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' || text.startsWith('<')
    ? `the speech engine answers ${status}`
    : text.slice(0, reasonMax).toWellFormed()
}

function failureOf(error: unknown): Error {
  if (error instanceof UnspeakableError || error instanceof SpeechDownError) return error
  if (!(error instanceof Error)) return new SpeechDownError(String(error))
  if (error.name === 'TimeoutError') return new SpeechDownError('it takes too long')
  return new SpeechDownError('it cannot be reached', { cause: error.cause ?? error })
}
