import { expect, test } from 'vitest'
import { unresolvable } from './host-name.ts'

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code })
}
const found = async () => ['192.0.2.1']

test.each<{ why: string; host: string; dns: () => Promise<string[]>; machine?: () => Promise<unknown>; says: unknown }>(
  [
    { why: 'an address is asked of nobody', host: '192.0.2.7', dns: failing('ENOTFOUND'), says: null },
    { why: 'nor is one of IPv6', host: '2001:db8::1', dns: failing('ENOTFOUND'), says: null },
    { why: 'a name with an address', host: 'sip.example.com', dns: found, says: null },
    {
      why: 'a name that is none',
      host: 'sip.example.com',
      dns: failing('ENOTFOUND'),
      says: 'DNS does not know its host sip.example.com',
    },
    {
      why: 'a name without an address',
      host: 'sip.example.com',
      dns: async () => [],
      says: 'DNS does not know its host sip.example.com',
    },
    {
      why: 'a name of the hosts file, which the dialer does not read',
      host: 'operator',
      dns: failing('ENOTFOUND'),
      machine: found,
      says: expect.stringMatching(/^DNS does not know its host operator, only .* enter its address$/),
    },
    {
      why: 'a name server that is silent tells nothing of the name',
      host: 'sip.example.com',
      dns: failing('ETIMEOUT'),
      machine: found,
      says: 'DNS does not answer for its host sip.example.com (ETIMEOUT)',
    },
  ],
)('$why', async ({ host, dns, machine = failing('ENOTFOUND'), says }) => {
  expect(await unresolvable(host, { byDns: dns, byMachine: machine, sipServers: async () => [] })).toEqual(says)
})
