import { keyScopes, type KeyScope } from '@ghanti/contract/keys.ts'
import { makeKey } from '../modules/keys/actions.ts'
import type { Viewer } from '../policy.ts'
import type { TestApp } from './app.ts'

type Wanted = { name?: string; scopes?: readonly KeyScope[]; networks?: string[]; expiresAt?: string }

/** A key that may be used from everywhere here, for everything unless `scopes` says less. */
export async function newApiKey(
  app: TestApp,
  viewer: Viewer,
  { name = 'A program', scopes = keyScopes, networks = ['127.0.0.0/8'], expiresAt }: Wanted = {},
): Promise<{ keyId: number; key: string; headers: { authorization: string } }> {
  const from = { network: '127.0.0.1/32', userAgent: '' }
  const ctx = { app, viewer, from, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: '' } }
  const made = await makeKey(ctx, { name, scopes, networks, expiresAt })
  return { ...made, headers: { authorization: `Bearer ${made.key}` } }
}
