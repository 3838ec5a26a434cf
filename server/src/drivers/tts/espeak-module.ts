import { WavError } from '@ghanti/callflow/sound/wav.ts'
import type { SpeechLanguage } from './driver.ts'

export type Espeak = {
  /** The samples and their rate. Throws WavError when the sound is longer than `secondsMax`. */
  speak(text: string, language: SpeechLanguage, secondsMax: number): { samples: Float32Array; rate: number }
}

/** Slower than its default of 175, so that numbers are understood at first hearing. */
export const wordsPerMinute: Record<SpeechLanguage, number> = { ne: 140, en: 150 }
export const pitchOf100 = 50

/**
 * Lowers and narrows the highest formant, so that it ends where telephones do. Up to 3.4 kHz a voice sounds the same, and a sixth of the work, on
 * harmonics that nobody would hear, is saved.
 */
export const variant = 'telephone'
const variantFile = `language variant\nname ${variant}\nformant 5 92 100 10\n`

/** Takes about 60 MB and a quarter of a second. Only for a thread: its work cannot be interrupted. */
export async function loadEspeak(): Promise<Espeak> {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten')
  const { eSpeakNGWorker, FS } = await load()
  FS.writeFile(`/usr/share/espeak-ng-data/voices/!v/${variant}`, variantFile)
  const worker = new eSpeakNGWorker()
  let voice: SpeechLanguage | null = null
  return {
    speak(text, language, secondsMax) {
      if (language !== voice) {
        voice = null
        if (worker.set_voice(`${language}+${variant}`) !== 0) throw new Error(`espeak-ng has no voice for ${language}`)
        worker.set_rate(wordsPerMinute[language])
        worker.set_pitch(pitchOf100)
        voice = language
      }
      const rate = worker.samplerate
      const pieces: Int16Array[] = []
      let length = 0
      worker.synthesize(text, (pcm) => {
        pieces.push(pcm)
        length += pcm.length
        return length > secondsMax * rate
      })
      if (length > secondsMax * rate) throw new WavError(`takes more than ${secondsMax} seconds to say`)
      return { samples: joined(pieces, length), rate }
    },
  }
}

function joined(pieces: readonly Int16Array[], length: number): Float32Array {
  const samples = new Float32Array(length)
  let at = 0
  for (const piece of pieces) for (let n = 0; n < piece.length; n++) samples[at++] = (piece[n] ?? 0) / 32_768
  return samples
}
