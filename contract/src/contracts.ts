import * as z from 'zod/mini'
import { callsPerSecondMax } from './dialers.ts'
import { json, list, type RowOf } from './route.ts'
import { channelsMax, Id, Message, Name, wireInt } from './values.ts'

const Contract = {
  contractName: Name,
  channels: wireInt(1, channelsMax),
  cps: wireInt(1, callsPerSecondMax),
}

/** What an operator sold for several trunks together, on any dialers: channels and calls per second (docs/api.md#operator-contracts). */
export const contractRoutes = {
  list: list({
    path: '/api/obd/contracts',
    row: z.object({
      contractId: z.number(),
      contractName: z.string(),
      channels: z.number(),
      cps: z.number(),
      /** In use now, over all dialers. */
      channelsUsed: z.number(),
      callsPerSecond: z.number(),
      trunks: z.array(z.object({ trunkId: z.number(), trunkName: z.string(), dialerName: z.string() })),
      /** Dialers that use or hold some of it. `…Granted`: what a dialer may use now. */
      dialers: z.array(
        z.object({
          dialerName: z.string(),
          channelsUsed: z.number(),
          channelsGranted: z.number(),
          callsPerSecond: z.number(),
          cpsGranted: z.number(),
        }),
      ),
    }),
    sort: ['-contractId', 'contractName', 'channels', 'cps'],
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/contract',
    input: z.object(Contract),
    reply: z.object({ message: z.string(), contractId: z.number() }),
  }),
  /** Dialers keep to it within two seconds; calls in progress continue. */
  update: json({
    method: 'POST',
    path: '/api/obd/contract/update',
    input: z.object({ ...Contract, contractId: Id }),
    reply: Message,
  }),
  /** Refused while trunks belong to it. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/contract/:contractId',
    input: z.object({ contractId: Id }),
    reply: Message,
  }),
}
export type ContractRow = RowOf<typeof contractRoutes.list>
