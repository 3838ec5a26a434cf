import type { Handlers } from '../../http/types.ts'
import { listenTo } from './actions.ts'

export const recordingHandlers: Handlers<'recordings'> = {
  listen: (ctx, { recording }) => listenTo(ctx, recording.replace(/\.wav$/i, '')),
}
