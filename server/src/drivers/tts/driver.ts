export type SpeechLanguage = 'ne' | 'en'

/** 8 kHz mono 16-bit, with its RIFF header. */
export type Speech = { wav: Uint8Array<ArrayBuffer>; durationMs: number }

export interface TtsDriver {
  /** For people: 'espeak-ng'. */
  readonly name: string
  /** Sounds of other keys are not reused. */
  readonly key: string
  /** Other texts wait. */
  readonly atOnce: number
  /** UnspeakableError: this text has no sound; SpeechDownError: the engine is out of order, and the text may have one later. */
  synthesise(text: string, language: SpeechLanguage): Promise<Speech>
  close(): Promise<void>
}

/** Longer texts are refused, because an engine's time grows with them. */
export const speechTextMax = 1000

/** `message` continues the value's name: 'cannot be spoken: …'. */
export class UnspeakableError extends Error {
  override readonly name = 'UnspeakableError'
}

/** `message` follows 'the speech engine does not answer: '. */
export class SpeechDownError extends Error {
  override readonly name = 'SpeechDownError'
}
