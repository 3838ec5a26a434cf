import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { startLocalSmsc, type LocalSmsc, type LocalSmscOptions } from '../../../demo/local-smsc.ts'
import type { SmppSettings } from '../driver.ts'

export async function testSmsc(options: Omit<LocalSmscOptions, 'home'> = {}): Promise<LocalSmsc> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-smsc-'))
  const smsc = await startLocalSmsc({ home, ...options })
  return {
    ...smsc,
    async stop() {
      await smsc.stop()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}

export function settingsFor(peer: { host: string; port: number }, more: Partial<SmppSettings> = {}): SmppSettings {
  return {
    driver: 'smpp',
    host: peer.host,
    port: peer.port,
    systemId: 'ghanti',
    password: 'secret',
    systemType: '',
    bind: 'transceiver',
    tls: false,
    certificate: null,
    window: 50,
    tps: 2000,
    sourceTon: null,
    sourceNpi: null,
    destTon: 1,
    destNpi: 1,
    alphabet: 'gsm7',
    longMessages: 'udh',
    serviceType: '',
    ...more,
  }
}
