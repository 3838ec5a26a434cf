export async function decodedSound(url: string, samplesPerSecond: number, signal?: AbortSignal): Promise<AudioBuffer> {
  const response = await fetch(url, { credentials: 'same-origin', ...(signal && { signal }) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const bytes = await response.arrayBuffer()
  return new OfflineAudioContext(1, 1, samplesPerSecond).decodeAudioData(bytes)
}
