const headerBytes = 44
const bytesPerSample = 2

/** A wav file (16-bit PCM, mono) of samples from -1 to 1; louder ones are clipped. */
export function wavOf(samples: Float32Array, samplesPerSecond: number): Blob {
  const size = samples.length * bytesPerSample
  const view = new DataView(new ArrayBuffer(headerBytes + size))
  const text = (at: number, word: string) => [...word].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)))
  text(0, 'RIFF')
  view.setUint32(4, headerBytes - 8 + size, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samplesPerSecond, true)
  view.setUint32(28, samplesPerSecond * bytesPerSample, true)
  view.setUint16(32, bytesPerSample, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, size, true)
  for (let n = 0; n < samples.length; n += 1) {
    const sample = Math.max(-1, Math.min(1, samples[n] ?? 0))
    view.setInt16(headerBytes + n * bytesPerSample, Math.round(sample * 32_767), true)
  }
  return new Blob([view], { type: 'audio/wav' })
}
