import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { deleteRecording, keepRecordingsFor, listenTo } from './actions.ts'

export const recordingHandlers: Handlers<'recordings'> = {
  listen: (ctx, { recording }) => listenTo(ctx, recording.replace(/\.wav$/i, '')),
  async delete(ctx, { uuID }) {
    await deleteRecording(ctx, uuID)
    return { message: messages.success }
  },
  async keepDays(ctx, { recordingDays }) {
    await keepRecordingsFor(ctx, recordingDays)
    return { message: messages.success }
  },
}
