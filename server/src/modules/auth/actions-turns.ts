import type { App } from '../../app.ts'
import type { Origin } from '../../http/types.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import type { Lane } from './actions-passwords.ts'
import { accountsSignedIn, deviceOf } from './actions-device.ts'
import { isKnownNetwork, signInKey } from './actions-throttle.ts'
import { neighbourhoodOf, networkOf } from './rules-throttle.ts'
import * as store from './store.ts'

type Caller = { username: string; cookie: string | null }

type Lines = Readonly<Record<Lane, FairSemaphore>>

/** A sign-in waits for a few seconds at most, so that whoever gets 503 may as well come again. */
const line = { ofEach: 1, waitingOfEach: 100, waitingMax: 1000 }

/** Only find out who is known: one or two statements by an index. */
const lookups: Lines = { known: new FairSemaphore(2, line), strangers: new FairSemaphore(2, line) }
/** A hundred sign-ins in a row are done at once. Whoever goes on, an account or a network, gets a tenth of the time: some two a second. */
const known = new FairSemaphore(2, { ...line, workMsMax: 40_000, share: 1 / 10 })
const signIns: Lines = { known, strangers: new FairSemaphore(2, line) }

/**
 * Runs a sign-in, with its statements and its hash, when it is its turn (docs/adr/7). A browser or network that signed in to the account before
 * waits in a line of its own, in which accounts take turns. Strangers take turns by neighbourhood, network and name. Whether a browser's cookie is
 * of this server is seen without a statement, so that no crowd of strangers stands before the first one either.
 */
export async function inTurn<T>(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { username, cookie }: Caller,
  { ip }: Origin,
  signIn: (lane: Lane) => Promise<T>,
): Promise<T> {
  const [neighbourhood, network, name] = [neighbourhoodOf(ip), networkOf(ip), signInKey(username)]
  const knownAs = async () => {
    const login = await store.findLogin(app.db, username)
    if (!login) return null
    const isKnown = deviceOf(app, cookie, login) !== null || (await isKnownNetwork(app.db, login.deviceKey, network))
    return isKnown ? login.userId : null
  }
  const [before] = accountsSignedIn(app, cookie)
  const userId = await (before === undefined
    ? lookups.strangers.run(knownAs, [neighbourhood, network, `${name} from ${network}`])
    : lookups.known.run(knownAs, [before, network]))
  return userId === null
    ? signIns.strangers.run(() => signIn('strangers'), [neighbourhood, network, name])
    : signIns.known.run(() => signIn('known'), [userId, network])
}
