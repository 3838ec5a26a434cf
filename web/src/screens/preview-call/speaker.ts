/** The rate at which sounds are kept and played. The browser's own filter brings the telephone's 8 kHz up to it. */
export const samplesPerSecond = 24_000

/** Plays sounds one behind the other, to the sample. Browsers let it begin with a click. */
export class Speaker {
  #context: AudioContext | null = null

  /** Answers how to silence them, also when they are over. */
  play(sounds: readonly AudioBuffer[]): () => void {
    this.#context ??= new AudioContext({ sampleRate: samplesPerSecond })
    const context = this.#context
    void context.resume()
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
