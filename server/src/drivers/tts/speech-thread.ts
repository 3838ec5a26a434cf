/**
 * A thread of SpeechThreads, which does one job after the other until it is ended.
 * text  is spoken by espeak-ng, if that is the engine
 * file  a wav file from another engine is converted for telephones
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { notesOf, readWav, WavError } from '@ghanti/callflow/sound/wav.ts'
import type { Speech } from './driver.ts'
import { loadEspeak } from './espeak-module.ts'
import { speechSound } from './speech-sound.ts'
import type { SpeechJob, SpeechReply } from './speech-threads.ts'

const { secondsMax, engine } = z.parse(z.object({ secondsMax: z.number(), engine: z.boolean() }), workerData)
const nothingHeard = 'nothing is heard of it'
const espeak = engine ? await loadEspeak() : null

function soundOf(job: SpeechJob): Speech | null {
  if ('file' in job) {
    const sound = readWav(job.file, secondsMax)
    // A person hears what is missing before it is dialled. Half an amount that an engine sent would be heard by customers.
    if (sound.missing) throw new WavError(notesOf(sound).join(', '))
    return speechSound(sound.samples, sound.rate)
  }
  if (!espeak) throw new Error('this thread takes no texts')
  const { samples, rate } = espeak.speak(job.text, job.language, secondsMax)
  return speechSound(samples, rate)
}

function replyTo(job: SpeechJob): Speech | string {
  try {
    return soundOf(job) ?? nothingHeard
  } catch (error) {
    if (error instanceof WavError) return error.message
    throw error
  }
}

const port = parentPort
if (!port) throw new Error('speech-thread.ts runs in a thread')
port.on('message', (job: SpeechJob) => {
  const sound = replyTo(job)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage({ sound } satisfies SpeechReply, typeof sound === 'string' ? [] : [sound.wav.buffer])
})
port.postMessage({ ready: true } satisfies SpeechReply)
