/** Runs one attacker in a thread that gives way: those who attack have machines of their own, and what the others feel is measured in this process. */
import * as os from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Caller } from '@ghanti/server/testing/wire.ts'
import { overAll } from './processes.ts'
import { attackers, type Sessions, type Statuses } from './attackers.ts'

type Plain = Pick<Caller, 'userId' | 'headers'>
type Order = { name: string; addresses: readonly string[]; hostile: Plain; reseller: Plain; childId: number }

const plain = ({ userId, headers }: Caller): Plain => ({ userId, headers })

/** Attacks until the signal is given, and then says what was answered. */
export function attackApart(name: string, sessions: Sessions, over: AbortSignal): Promise<Statuses> {
  const { addresses, hostile, reseller, childId } = sessions
  const order: Order = { name, addresses, hostile: plain(hostile), reseller: plain(reseller), childId }
  const thread = new Worker(new URL(import.meta.url), { workerData: order })
  over.addEventListener('abort', () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage('over')
  })
  return new Promise((resolve, reject) => {
    thread.once('message', (statuses: Statuses) => resolve(statuses))
    thread.once('error', reject)
  }).finally(() => thread.terminate()) as Promise<Statuses>
}

async function attack({ name, addresses, hostile, reseller, childId }: Order): Promise<Statuses> {
  if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW) // of this thread
  const over = new AbortController()
  parentPort?.once('message', () => over.abort())
  const attacker = attackers.find((one) => one.name === name)
  if (!attacker) throw new Error(`nobody attacks by ${name}`)
  const as = (caller: Plain): Caller => overAll(addresses, caller)
  return await attacker.attack({ addresses, hostile: as(hostile), reseller: as(reseller), childId }, over.signal)
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
if (!isMainThread) parentPort?.postMessage(await attack(workerData))
