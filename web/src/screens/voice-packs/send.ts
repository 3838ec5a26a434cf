import { voiceRoutes, type VoiceUpload } from '@ghanti/contract/voices.ts'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { readAgain } from './actions.ts'

export type Sent = { taken: number; refused: VoiceUpload['refused'] }

/** One file after the other; what is refused, or does not get through, is told at the end. */
export async function sendRecordings(
  packId: number,
  files: readonly File[],
  onFile: (number: number) => void,
): Promise<Sent> {
  const sent: Sent = { taken: 0, refused: [] }
  for (const [index, voiceFile] of files.entries()) {
    onFile(index + 1)
    try {
      const { taken, refused } = await call(voiceRoutes.upload, { packId }, { files: { voiceFile } })
      sent.taken += taken.length
      sent.refused.push(...refused)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sent.refused.push({ fileName: voiceFile.name, why: error.errors[0]?.text ?? error.message })
    }
  }
  await readAgain()
  return sent
}
