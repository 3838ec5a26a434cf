import { TelephonyError, type TelephonyDriver } from '../driver.ts'
import { AriHttp } from './ari/http.ts'
import { announce } from './ari/server-watch.ts'
import { AsteriskConnection } from './connection.ts'
import { type Names, systemNames } from './trunks/host-name.ts'
import { messageOf } from '../../../lib/error-code.ts'

export type AsteriskOptions = {
  /** The name (letters only) of the Stasis application that owns our channels and trunks. A client that connects under the same name takes over. */
  app?: string
  names?: Names
}

/** For dialers with Asterisk 22.2 or newer, over ARI, configured as in telephony/etc/dialer. */
export function asteriskDriver({ app = 'ghanti', names = systemNames() }: AsteriskOptions = {}): TelephonyDriver {
  return {
    name: 'asterisk',
    async announce(address) {
      const http = new AriHttp(address)
      await announce(app, http).finally(() => http.cut())
    },
    async connect(address) {
      const connection = new AsteriskConnection(address, app, names)
      try {
        await connection.open()
        return connection
      } catch (error) {
        await connection.close()
        if (error instanceof TelephonyError) throw error
        throw new TelephonyError(`no dialer at ${address.host}:${address.port}: ${messageOf(error)}`)
      }
    },
  }
}
