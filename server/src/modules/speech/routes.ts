import { spokenKinds } from '@ghanti/contract/templates.ts'
import type { Handlers } from '../../http/types.ts'
import { voiceOf } from './actions.ts'

export const speechHandlers: Handlers<'speech'> = {
  async voices({ app, viewer }, manner) {
    return await Promise.all(
      spokenKinds.map(async (kind) => {
        const { source, name, packId } = await voiceOf(app, viewer.userId, manner, kind)
        return { kind, source, name, packId }
      }),
    )
  },
}
