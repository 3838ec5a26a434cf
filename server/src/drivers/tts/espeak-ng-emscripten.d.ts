declare module '@echogarden/espeak-ng-emscripten' {
  class EspeakWorker {
    readonly samplerate: number
    set_rate(wordsPerMinute: number): void
    set_pitch(of100: number): void
    /** 0 on success; for an unknown voice something else, and the previous one stays. */
    set_voice(name: string): number
    /** In pieces, until the callback returns true. */
    synthesize(text: string, onPiece: (pcm: Int16Array) => boolean): void
  }
  export default function load(): Promise<{
    eSpeakNGWorker: typeof EspeakWorker
    /** In memory; the engine reads voices and words from it. */
    FS: { writeFile(path: string, text: string): void }
  }>
}
