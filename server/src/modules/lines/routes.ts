import type { Handlers } from '../../http/types.ts'
import { listClis } from './actions.ts'

export const lineHandlers: Handlers<'lines'> = {
  async clisOfUser({ app, viewer }, { userId }) {
    const clis = await listClis(app.db, viewer, userId)
    return clis.map(({ id, number, channels, active }) => ({
      cliId: id,
      cli: number,
      channels,
      cliStatus: active ? 1 : 0,
    }))
  },
}
