/**
 * A dialer and a virtual operator for experiments: `npm run asterisk:up`, `npm run asterisk:down`. A real Asterisk without root or Docker,
 * on loopback, below .ghanti/asterisk of this checkout.
 */
import * as path from 'node:path'
import { startLocalAsterisk, stopLocalAsterisk } from '../server/src/demo/local-asterisk.ts'

const home = path.resolve(import.meta.dirname, '../.ghanti/asterisk')
const say = (line: string): void => console.log(line)

async function up(): Promise<void> {
  const { dialer, operator, recordings, operatorCalls } = await startLocalAsterisk({ home, freePorts: false, say })
  say(`ARI            http://${dialer.host}:${dialer.port}/ari   user ${dialer.user}, secret ${dialer.secret}`)
  say(`operator       ${operator.host}:${operator.port}   a number's last two digits decide: telephony/README.md`)
  say(`recordings     ${recordings}`)
  say(`calls made     ${operatorCalls}`)
}

const commands = new Map([
  ['up', up],
  ['down', () => stopLocalAsterisk(home, say)],
])
const command = commands.get(process.argv[2] ?? '')
if (!command) {
  console.error('node scripts/asterisk.ts up|down')
  process.exit(2)
}
await command().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
