declare module '@echogarden/espeak-ng-emscripten' {
  class EspeakWorker {
    readonly samplerate: number
    set_rate(wordsPerMinute: number): void
    set_pitch(of100: number): void
    /** 0 on success. For an unknown voice it returns something else and keeps the previous one. */
    set_voice(name: string): number
    /** Returns the sound in pieces; the callback ends it by returning true. */
    synthesize(text: string, onPiece: (pcm: Int16Array) => boolean): void
  }
  export default function load(): Promise<{
    eSpeakNGWorker: typeof EspeakWorker
    /** The engine's files in memory, from which it reads voices and words. */
    FS: { writeFile(path: string, text: string): void }
  }>
}
