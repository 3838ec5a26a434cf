export type SpeechLanguage = 'ne' | 'en'

/** 8 kHz mono 16-bit, with its RIFF header. */
export type Speech = { wav: Uint8Array<ArrayBuffer>; durationMs: number }

export interface TtsDriver {
  /** The name that people read: 'espeak-ng'. */
  readonly name: string
  /** Engine, version and settings: sounds of other keys are not reused. */
  readonly key: string
  /** How many texts it works on at once; others wait. */
  readonly atOnce: number
  /**
   * Rejects with UnspeakableError when this text has no sound, and with SpeechDownError when the engine is unreachable or out of order, so that the
   * text may have a sound later.
   */
  synthesise(text: string, language: SpeechLanguage): Promise<Speech>
  close(): Promise<void>
}

/** Longer texts are refused, because an engine's time grows with them. */
export const speechTextMax = 1000

/** `message` continues a sentence that begins with the value's name: 'cannot be spoken: …'. */
export class UnspeakableError extends Error {
  override readonly name = 'UnspeakableError'
}

/** `message` gives the reason, after 'the speech engine does not answer: '. */
export class SpeechDownError extends Error {
  override readonly name = 'SpeechDownError'
}
