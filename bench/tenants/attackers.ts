/** Attackers who do one thing again and again, with a valid account or with none, while others work. */
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as path from 'node:path'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { auditRoutes } from '@ghanti/contract/audit.ts'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { brandRoutes } from '@ghanti/contract/brands.ts'
import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { exportRoutes } from '@ghanti/contract/exports.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { pictureFile } from '@ghanti/server/testing/files/picture.ts'
import type { Caller } from '@ghanti/server/testing/wire.ts'
import { networkOf, signInFrom } from './people.ts'
import { nth } from './processes.ts'

/** How often each status was answered; 0: the connection was ended. */
export type Statuses = Map<number, number>
/** The sessions that an attacker has. */
export type Sessions = { addresses: readonly string[]; hostile: Caller; reseller: Caller; childId: number }
export type Attacker = { name: string; attack(sessions: Sessions, over: AbortSignal): Promise<Statuses> }

/** `atOnce` requests at any time, until it is over. */
async function flood(atOnce: number, over: AbortSignal, ask: (n: number) => Promise<Response>): Promise<Statuses> {
  const statuses: Statuses = new Map()
  let asked = 0
  const one = async (): Promise<void> => {
    while (!over.aborted) {
      const status = await ask(++asked).then(
        async (reply) => (await reply.arrayBuffer(), reply.status),
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 20)) // else it would only measure itself
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return statuses
}

const commas = new File([`9841000001${','.repeat(6_000_000)}`], 'commas.csv', { type: 'text/csv' })
const manyFields = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join(',')}}`

const post = (address: string, route: string, body: string): Promise<Response> =>
  fetch(`${address}${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

export const attackers: readonly Attacker[] = [
  {
    name: 'a file of commas as a blacklist',
    attack: ({ hostile }, over) => flood(2, over, () => hostile.send(blacklistRoutes.upload, { blistFile: commas })),
  },
  {
    name: 'a file of commas to look at',
    attack: ({ hostile }, over) => flood(2, over, () => hostile.send(contactRoutes.look, { baseFile: commas })),
  },
  {
    name: 'a megabyte of JSON without an account',
    attack({ addresses }, over) {
      const body = manyFields(90_000)
      return flood(4, over, (n) => post(nth(addresses, n), signInRoutes.login.path, body))
    },
  },
  {
    name: 'JSON that fits, without an account',
    attack({ addresses }, over) {
      const body = manyFields(1500)
      return flood(4, over, (n) => post(nth(addresses, n), signInRoutes.login.path, body))
    },
  },
  {
    name: 'a filter of a hundred thousand fields',
    attack({ hostile }, over) {
      const filter = JSON.parse(manyFields(90_000)) as object
      return flood(4, over, () => hostile.send(exportRoutes.ask, { kind: 'calls', format: 'csv', filter }))
    },
  },
  {
    name: 'a new logo each time',
    attack: ({ reseller }, over) =>
      flood(4, over, (n) =>
        reseller.send(brandRoutes.save, { company: 'Flood', logo: pictureFile('a.png', 300 + (n % 900), 600) }),
      ),
  },
  {
    name: 'a hundred and fifty dashboards at once',
    attack: ({ hostile }, over) =>
      flood(150, over, () => hostile.send(userRoutes.dashboard, { userId: hostile.userId })),
  },
  {
    name: 'wrong secrets of gateways on many connections',
    attack: ({ addresses }, over) => wrongSecrets(addresses, over),
  },
  {
    name: 'one valid account that signs in without end',
    attack: ({ addresses }, over) =>
      flood(100, over, (n) =>
        signInFrom(nth(addresses, n), networkOf(3, 1), { username: 'client', password: demoPassword }),
      ),
  },
  {
    name: 'searches that no index answers',
    attack({ hostile }, over) {
      const searches = ['...', '%_%', 'कखग', '___', '  .  ']
      return flood(20, over, (n) => hostile.send(auditRoutes.list, { search: searches[n % searches.length] }))
    },
  },
  {
    name: 'a line in the audit log for each search',
    attack: ({ hostile }, over) =>
      flood(20, over, (n) =>
        hostile.send(callReportRoutes.list, { userId: hostile.userId, search: String(9_841_000_000 + n) }),
      ),
  },
  {
    name: 'a rupee to and fro',
    attack: ({ reseller, childId }, over) =>
      flood(10, over, (n) =>
        reseller.send(n % 2 ? creditRoutes.add : creditRoutes.remove, { userId: childId, credits: 1 }),
      ),
  },
  {
    name: 'plans without end',
    attack: ({ reseller }, over) =>
      flood(10, over, (n) =>
        reseller.send(planRoutes.add, { planName: `Flood ${n}`, pulseDuration: 60, pulsePrice: 100_000 }),
      ),
  },
  {
    name: 'HEADs of whole files',
    attack({ addresses, hostile }, over) {
      const file = creditRoutes.historyCsv.path.replace(':userId', String(hostile.userId))
      return flood(20, over, (n) => fetch(`${nth(addresses, n)}${file}`, { method: 'HEAD', headers: hostile.headers }))
    },
  },
]

const connections = 1500

/** Each connection asks as soon as it was answered. */
async function wrongSecrets(addresses: readonly string[], over: AbortSignal): Promise<Statuses> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const ask = (n: number): Promise<Response> =>
    new Promise((resolve, reject) => {
      const localAddress = networkOf(4, n % connections)
      const url = new URL(`/app/sms/callback/1?secret=wrong-${n}`, nth(addresses, n))
      const request = http.get(url, { agent, localAddress }, (reply) => {
        reply.resume().once('end', () => resolve(new Response(null, { status: reply.statusCode ?? 0 })))
      })
      request.once('error', reject)
    })
  try {
    return await flood(connections, over, ask)
  } finally {
    agent.destroy()
  }
}

/** Bytes of the files below a folder; those that vanish meanwhile do not count. */
export function bytesBelow(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (fs.statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

/** The memory that a process holds, in bytes; null where the system does not say. */
export function memoryOf(pid: number): number | null {
  const status = `/proc/${pid}/status`
  if (!fs.existsSync(status)) return null
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(status, 'utf8'))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}
