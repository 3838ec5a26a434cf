/** The engines that make sound of text. */

export type SpeechLanguage = 'ne' | 'en'

/** 8 kHz mono 16-bit, with its RIFF header. */
export type Speech = { wav: Uint8Array<ArrayBuffer>; durationMs: number }

export interface TtsDriver {
  /** What people read: 'espeak-ng'. */
  readonly name: string
  /** Engine, version and settings: sounds made under another key are not taken for this one's. */
  readonly key: string
  /** How many texts it works on at once; more wait for their turn. */
  readonly atOnce: number
  /**
   * Rejects with UnspeakableError when this text has no sound, with SpeechDownError when the engine cannot be reached or is out of order: then
   * the same text may have a sound later.
   */
  synthesise(text: string, language: SpeechLanguage): Promise<Speech>
  close(): Promise<void>
}

/** Longer texts are refused: an engine's time grows with them. */
export const speechTextMax = 1000

/** `message` reads on after the value's name: 'cannot be spoken: ...'. */
export class UnspeakableError extends Error {
  override readonly name = 'UnspeakableError'
}

/** `message` says why, after 'the speech engine does not answer: '. */
export class SpeechDownError extends Error {
  override readonly name = 'SpeechDownError'
}
