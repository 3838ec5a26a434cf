import type { Branding } from '@ghanti/contract/branding.ts'
import type { Viewer } from '../policy.ts'
import type { Place } from './turns.ts'
import type { Ctx } from './types.ts'

/** A gateway that calls back and has shown its secret. */
export type CallingGateway = {
  gatewayId: number
  /** Counts this callback. Returns false when the gateway calls back too often. */
  mayCallBack(): boolean
  /** Resolves once the callback's content is stored. Throws 400 when it cannot be read. */
  take(callback: { query: Readonly<Record<string, unknown>>; body: string; isForm: boolean }): Promise<void>
  /** Counts a callback that was refused before it was read. */
  refused(why: string): Promise<void>
}

/** What the server needs of the modules, besides their handlers: server/src/http-ports.ts. */
export type HttpPorts = {
  /** The owner of a session's token, or of a key. Throws 401 for an unknown or expired one, and 403 where `ip` is outside the key's networks. */
  viewerOfToken(token: string | null, ip?: string): Promise<Viewer>
  /** Throws 429 beyond what the key and its account may ask for a second. */
  admitKey(viewer: Viewer, key: NonNullable<Viewer['key']>, ip: string): Promise<void>
  /** For how many minutes a sign-in or a proof lets sensitive requests through. */
  proofMinutes(): Promise<number>
  placeOf(ip: string): Place
  demoAccountExists(): Promise<boolean>
  exported(ctx: Ctx, fileName: string, asked: Readonly<Record<string, unknown>>): Promise<void>
  brandOfHost(hostname: string): Promise<Branding>
  openAlerts(): Promise<Map<string, number>>
  /** Throws the same 404 for an unknown gateway and for a wrong secret. */
  gatewayCalling(gatewayId: number, secret: string): Promise<CallingGateway>
}
