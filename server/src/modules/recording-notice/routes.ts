import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { listenToNotice, noticeOf, speakNotice, turnNotice, uploadNotice } from './actions.ts'

export const recordingNoticeHandlers: Handlers<'recordingNotice'> = {
  read: ({ app }) => noticeOf(app.db),
  async turn(ctx, { on }) {
    await turnNotice(ctx, on)
    return { message: messages.success }
  },
  async upload(ctx, { language }, { waveFile }) {
    const notes = await uploadNotice(ctx, language, waveFile)
    return { message: messages.success, ...(notes.length > 0 && { notes }) }
  },
  async speak(ctx, { language, text }) {
    await speakNotice(ctx, language, text)
    return { message: messages.success }
  },
  listen: (ctx, { language }) => listenToNotice(ctx, language),
}
