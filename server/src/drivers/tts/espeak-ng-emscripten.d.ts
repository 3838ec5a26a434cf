/** The part of the package that is used; it brings no types. */
declare module '@echogarden/espeak-ng-emscripten' {
  class EspeakWorker {
    readonly samplerate: number
    set_rate(wordsPerMinute: number): void
    set_pitch(of100: number): void
    /** 0: done. For a voice that there is not it answers something else and keeps the one before. */
    set_voice(name: string): number
    /** Gives its sound in pieces; true ends it. */
    synthesize(text: string, onPiece: (pcm: Int16Array) => boolean): void
  }
  export default function load(): Promise<{
    eSpeakNGWorker: typeof EspeakWorker
    /** What the engine reads its voices and words from, in memory. */
    FS: { writeFile(path: string, text: string): void }
  }>
}
