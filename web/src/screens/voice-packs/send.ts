import { voiceRoutes, wordMaxBytes, zipMaxBytes, type VoiceUpload } from '@ghanti/contract/voices.ts'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { fileProblem } from '../../components/form/files/file-problem.ts'
import { readAgain, recordingTypes } from './actions.ts'

/** `noted`: what the sender should know about recordings that were taken. */
export type Sent = {
  taken: number
  noted: { fileName: string; notes: readonly string[] }[]
  refused: VoiceUpload['refused']
}

const isZip = ({ name }: File) => /\.zip$/i.test(name)

/** One file after the other. Skips files of another type or size; reports refused and failed ones at the end. */
export async function sendRecordings(
  packId: number,
  files: readonly File[],
  onFile: (number: number) => void,
): Promise<Sent> {
  const sent: Sent = { taken: 0, noted: [], refused: [] }
  for (const [index, voiceFile] of files.entries()) {
    const problem = fileProblem(voiceFile, recordingTypes, isZip(voiceFile) ? zipMaxBytes : wordMaxBytes)
    if (problem !== null) {
      sent.refused.push({ fileName: voiceFile.name, why: problem })
      continue
    }
    onFile(index + 1)
    try {
      const { taken, refused } = await call(voiceRoutes.upload, { packId }, { files: { voiceFile } })
      sent.taken += taken.length
      for (const { fileName, notes } of taken) if (notes) sent.noted.push({ fileName, notes })
      sent.refused.push(...refused)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sent.refused.push({ fileName: voiceFile.name, why: error.errors[0]?.text ?? error.message })
    }
  }
  await readAgain()
  return sent
}
