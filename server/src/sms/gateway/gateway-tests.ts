import { idKey, type SmsGateway, type Submitted } from '../../drivers/sms/driver.ts'
import type { SmsContext } from './context.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import { endTest, takeTests, type GatewayTest, type TestEnd } from '../model/snapshot.sql.ts'

/** Requests of super admins to a gateway: pings, and messages that belong to no campaign and no account. Each is done once. */
export class GatewayTests {
  readonly #context: SmsContext
  readonly #lease: SmsLease
  readonly #gateway: SmsGateway

  constructor(context: SmsContext, lease: SmsLease, gateway: SmsGateway) {
    this.#context = context
    this.#lease = lease
    this.#gateway = gateway
  }

  async round(): Promise<void> {
    for (const test of await takeTests(this.#context.pool, this.#lease))
      void this.#carryOut(test).catch((error: unknown) =>
        this.#context.log.error({ error, testId: test.id }, 'a test of a gateway failed'),
      )
  }

  async #carryOut(test: GatewayTest): Promise<void> {
    await endTest(this.#context.pool, test.id, test.kind === 'ping' ? await this.#ping() : await this.#send(test))
  }

  async #ping(): Promise<TestEnd> {
    const reason = this.#gateway.ping ? await this.#gateway.ping() : whyUnbound(this.#gateway)
    return { state: reason === null ? 'delivered' : 'failed', reason, idKeys: [] }
  }

  async #send({ id, phone, sender, text }: GatewayTest): Promise<TestEnd> {
    const token = `${this.#context.installation}t${id.toString(36)}`
    return endOf(await this.#gateway.submit({ token, from: sender ?? '', to: String(phone), text: text ?? '' }))
  }
}

function whyUnbound({ state: { bound, lastError } }: SmsGateway): string | null {
  return bound ? null : (lastError ?? 'it is not connected yet')
}

function endOf(end: Submitted): TestEnd {
  switch (end.kind) {
    case 'accepted':
      return { state: 'submitted', reason: null, idKeys: end.ids.map(idKey) }
    case 'unknown':
      return { state: 'unknown', reason: end.reason, idKeys: end.ids.map(idKey) }
    case 'throttled':
      return { state: 'failed', reason: 'the gateway asks to send slower', idKeys: [] }
    case 'refused':
    case 'unsent':
      return { state: 'failed', reason: end.reason, idKeys: [] }
  }
}
