import { promptMaxBytes, promptRoutes, promptSecondsMax } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { tooLarge } from '@ghanti/contract/messages.ts'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { PickedSound } from './use-sounds.ts'

/** `waveFile` never has a value: it only shows errors of the files, which are kept beside the form. */
export type UploadForm = { waveFile: null; promptCategory: PromptCategory | null; fileName: string }
export const blankUpload: UploadForm = { waveFile: null, promptCategory: null, fileName: '' }

/** The name and category of one file; for a single file they are the form's. */
export type Named = { fileName: string; promptCategory: PromptCategory }

/** The chosen part as telephones carry it. */
async function waveOf({ file, sound, fromSeconds, toSeconds, isLouder }: PickedSound): Promise<File> {
  if (sound === null) throw new Error('the sound has not been read')
  const [{ cut, gainOf, loudnessOf }, { wavOf }, { telephoneRate }] = await Promise.all([
    import('../../audio/loudness.ts'),
    import('../../audio/wav.ts'),
    import('@ghanti/callflow/sound/resample.ts'),
  ])
  const part = cut(sound.samples, fromSeconds, toSeconds)
  const heard = isLouder ? cut(part, 0, promptSecondsMax, gainOf(loudnessOf(part))) : part
  return new File([wavOf(heard, telephoneRate)], `${file.name.replace(/\.[^.]+$/, '')}.wav`, { type: 'audio/wav' })
}

/** Throws ApiError. */
export async function sendSound(
  sound: PickedSound,
  { fileName, promptCategory }: Named,
  onProgress: (share: number) => void,
): Promise<void> {
  const waveFile = await waveOf(sound)
  if (waveFile.size > promptMaxBytes) throw new ApiError(413, tooLarge(waveFile.size))
  await call(promptRoutes.upload, { fileName, promptCategory }, { files: { waveFile }, onProgress })
}
