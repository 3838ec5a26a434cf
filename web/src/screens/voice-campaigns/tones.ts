import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { StatusKind } from '../../components/ui/Status.tsx'

export const toneOf: Record<CampaignStatus, StatusKind> = {
  ready: 'neutral',
  processing: 'running',
  running: 'running',
  resuming: 'running',
  complete: 'done',
  lowBalance: 'problem',
  refused: 'problem',
  failed: 'problem',
  cancelling: 'held',
  pausing: 'held',
  paused: 'held',
  onHold: 'held',
  cancelled: 'neutral',
}
