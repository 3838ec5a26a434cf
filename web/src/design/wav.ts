const samplesPerSecond = 8000

/** A wav file whose loudness varies as in speech; from the fourth second on, the second half of each second is silent. */
export function speechLikeWav(seconds: number): Blob {
  const samples = Int16Array.from({ length: seconds * samplesPerSecond }, (_, at) => {
    const second = at / samplesPerSecond
    const isPause = second > 4 && second % 1 > 0.5
    const loudness = isPause ? 0 : 0.5 + 0.4 * Math.sin(second * 9) * Math.sin(second * 2.3)
    return Math.round(32_767 * loudness * Math.sin(second * 2 * Math.PI * 220))
  })
  return new Blob([headerOf(samples.byteLength), samples], { type: 'audio/wav' })
}

/** RIFF, 16-bit PCM, mono. */
function headerOf(dataBytes: number): DataView<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(44))
  const text = (at: number, word: string) => [...word].forEach((c, i) => header.setUint8(at + i, c.charCodeAt(0)))
  text(0, 'RIFF')
  header.setUint32(4, 36 + dataBytes, true)
  text(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, samplesPerSecond, true)
  header.setUint32(28, samplesPerSecond * 2, true)
  header.setUint16(32, 2, true)
  header.setUint16(34, 16, true)
  text(36, 'data')
  header.setUint32(40, dataBytes, true)
  return header
}
