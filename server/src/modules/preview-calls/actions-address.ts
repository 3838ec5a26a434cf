import { createHmac, timingSafeEqual } from 'node:crypto'
import { previewCallRoutes } from '@ghanti/contract/preview-calls.ts'
import type { App } from '../../app.ts'
import type { Viewer } from '../../policy.ts'

const hourMs = 3600_000
/** A URL works for the rest of this hour and the whole of the next. */
const hoursAhead = 2

/**
 * A signed URL at which `viewer`, who may hear this sound now, can fetch it for an hour or two. Sounds have no owner (equal words share
 * one), so the right to listen is checked when the preview is made, and the signature carries it.
 */
export function addressFor(app: App, viewer: Viewer, hash: string): string {
  const until = Math.floor(app.clock.now().getTime() / hourMs) + hoursAhead
  const path = previewCallRoutes.hear.path.replace(':sound', `${hash}.wav`)
  return `${path}?until=${until}&signature=${signatureOf(app, viewer, hash, until)}`
}

/** Whether the URL was signed for this viewer and has not expired. */
export function isAddressed(
  app: App,
  viewer: Viewer,
  { hash, until, signature }: { hash: string; until: number; signature: string },
): boolean {
  if (app.clock.now().getTime() >= until * hourMs) return false
  const [said, made] = [Buffer.from(signature), Buffer.from(signatureOf(app, viewer, hash, until))]
  return said.length === made.length && timingSafeEqual(said, made)
}

function signatureOf({ config }: App, { userId }: Viewer, hash: string, until: number): string {
  const key = createHmac('sha256', config.secret).update('sounds of previews').digest()
  return createHmac('sha256', key).update(`${userId} ${hash} ${until}`).digest('base64url')
}
