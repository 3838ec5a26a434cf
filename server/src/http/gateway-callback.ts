import { gatewayJson } from '@ghanti/contract/gateway-json.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badField } from '../errors.ts'
import type { CallbackParameters } from '../lib/sms-callback.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import type { CallingGateway, HttpPorts } from './ports.ts'

const bodyMax = 65_536

const parameters = { type: 'object', additionalProperties: { type: 'string' } }
const operation = (method: 'get' | 'post') => ({
  operationId: `callback.${method}`,
  summary: 'Takes a receipt or an incoming message from a gateway.',
  tags: ['smsGateways'],
  description:
    'For gateways over HTTP. The gateway’s settings name the parameters, which are in the query or the body. Needs the secret instead of a session.',
  security: [],
  parameters: [
    { name: 'gatewayId', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'secret', in: 'query', required: true, schema: { type: 'string' } },
  ],
  ...(method === 'post' && {
    requestBody: {
      content: {
        'application/json': { schema: parameters },
        'application/x-www-form-urlencoded': { schema: parameters },
      },
    },
  }),
  responses: {
    200: { description: 'OK, even if it belongs to no message', content: { 'text/plain': {} } },
    404: { description: 'Unknown gateway or wrong secret' },
    429: { description: 'Too many at once: try again after Retry-After' },
  },
})

/** The callback's part of the OpenAPI document, which the contract cannot supply. */
export const callbackPaths = {
  '/app/sms/callback/{gatewayId}': { get: operation('get'), post: operation('post') },
}

/**
 * HTTP gateways report receipts and incoming messages here. The contract does not include this route, because each gateway names the parameters in
 * its own way. The caller has a secret instead of a session. The secret is checked before the body is read, without a statement where it is right.
 */
export async function gatewayCallbackRoute(http: FastifyInstance, { gatewayCalling }: HttpPorts): Promise<void> {
  /** Of gateways that have shown their secret: nobody else waits here. */
  const turns = new FairSemaphore(4, { ofEach: 2, waitingOfEach: 1000 })
  const calling = new WeakMap<FastifyRequest, CallingGateway>()
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: bodyMax } as const
    scope.addContentTypeParser('application/json', asText, async (_request: unknown, body: unknown) =>
      body === '' ? {} : jsonIn(String(body)),
    )
    scope.addContentTypeParser('application/x-www-form-urlencoded', asText, async (_request: unknown, body: unknown) =>
      Object.fromEntries(new URLSearchParams(String(body))),
    )
    scope.route<{ Params: { gatewayId: string } }>({
      method: ['GET', 'POST'],
      url: '/app/sms/callback/:gatewayId',
      exposeHeadRoute: false,
      onRequest: async (request) => {
        const { gatewayId } = request.params
        const { secret } = parametersOf(request.query)
        if (!/^[1-9]\d{0,8}$/.test(gatewayId) || typeof secret !== 'string') throw new AppError('not_found')
        const gateway = await gatewayCalling(Number(gatewayId), secret)
        if (!gateway.mayCallBack()) throw new AppError('throttled', [], { retryAfterSeconds: 1 })
        calling.set(request, gateway)
      },
      handler: async (request, reply) => {
        const gateway = calling.get(request)
        if (!gateway) throw new AppError('not_found')
        const { secret: _, ...query } = parametersOf(request.query)
        const said = { ...query, ...parametersOf(request.body) }
        await turns.run(() => gateway.take(said), gateway.gatewayId)
        return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK')
      },
    })
  })
}

function jsonIn(body: string): unknown {
  const read = gatewayJson(body)
  if ('fault' in read) throw badField('body', read.fault, 'unreadable')
  return read.value
}

function parametersOf(value: unknown): CallbackParameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
