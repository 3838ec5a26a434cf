import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { withHeader } from '../../audio/wav.ts'

/** A tone that swells and fades, as a wav file. */
export function toneFile(fileName: string, seconds: number): File {
  const samples = Int16Array.from(
    { length: seconds * telephoneRate },
    (_, n) => 9000 * Math.sin((Math.PI * n) / (seconds * telephoneRate)) * Math.sin(n / 3),
  )
  return new File([Buffer.from(withHeader(samples))], fileName, { type: 'audio/wav' })
}
