/**
 * Runs one attacker in a process of its own that gives way to all others: those who attack have machines of their own, so what others feel is to be what
 * the server does, and not that the attack itself needs a processor.
 */
import { fork } from 'node:child_process'
import * as os from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Caller } from '@ghanti/server/testing/wire.ts'
import { overAll } from './processes.ts'
import { attackers, type Sessions, type Statuses } from './attackers.ts'

type Plain = Pick<Caller, 'userId' | 'headers'>
type Order = { name: string; addresses: readonly string[]; hostile: Plain; reseller: Plain; childId: number }

const plain = ({ userId, headers }: Caller): Plain => ({ userId, headers })
const file = fileURLToPath(import.meta.url)

/** Attacks until the signal is given, and then says what was answered. */
export async function attackApart(name: string, sessions: Sessions, over: AbortSignal): Promise<Statuses> {
  const { addresses, hostile, reseller, childId } = sessions
  const order: Order = { name, addresses, hostile: plain(hostile), reseller: plain(reseller), childId }
  const attacker = fork(file, { serialization: 'advanced' })
  try {
    return await new Promise<Statuses>((resolve, reject) => {
      attacker.once('message', (statuses) => resolve(statuses as Statuses))
      attacker.once('error', reject)
      attacker.once('exit', (code) => reject(new Error(`the attacker ended with ${code}`)))
      attacker.send(order)
      over.addEventListener('abort', () => attacker.connected && attacker.send('over'))
    })
  } finally {
    attacker.removeAllListeners('exit').kill()
  }
}

async function attack({ name, addresses, hostile, reseller, childId }: Order): Promise<Statuses> {
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  const over = new AbortController()
  process.once('message', () => over.abort())
  const attacker = attackers.find((one) => one.name === name)
  if (!attacker) throw new Error(`nobody attacks by ${name}`)
  const as = (caller: Plain): Caller => overAll(addresses, caller)
  return await attacker.attack({ addresses, hostile: as(hostile), reseller: as(reseller), childId }, over.signal)
}

if (process.argv[1] === file && process.send)
  process.once('message', (order) => {
    attack(order as Order).then(
      (statuses) => process.send?.(statuses),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
