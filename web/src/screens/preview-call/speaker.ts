/** The rate of stored and played sounds; the browser's filter upsamples the telephone's 8 kHz. */
export const samplesPerSecond = 24_000

/** Plays sounds in sequence without gaps. Browsers allow it only after a click. */
export class Speaker {
  #context: AudioContext | null = null

  /** For the click itself: sounds that load after it may then be played. */
  open(): AudioContext {
    this.#context ??= new AudioContext({ sampleRate: samplesPerSecond })
    void this.#context.resume()
    return this.#context
  }

  /** The result stops them; calling it after their end is harmless. */
  play(sounds: readonly AudioBuffer[]): () => void {
    const context = this.open()
    let at = context.currentTime
    const sources = sounds.map((buffer) => {
      const source = new AudioBufferSourceNode(context, { buffer })
      source.connect(context.destination)
      source.start(at)
      at += buffer.duration
      return source
    })
    return () => {
      for (const source of sources) {
        source.stop()
        source.disconnect()
      }
    }
  }

  close(): void {
    void this.#context?.close()
    this.#context = null
  }
}
