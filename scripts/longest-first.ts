import * as fs from 'node:fs'
import * as path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '..')

/** Test files of more than 30 s, the longest first, as measured on two cores. */
const longest = [
  'bench/benches.test.ts',
  'server/src/main.test.ts',
  'server/src/growing-files.test.ts',
  'server/src/http/garbage.test.ts',
  'server/src/modules/exports/exports.test.ts',
  'server/src/db/backup/backup.test.ts',
  'telephony/crash.test.ts',
  'telephony/odd-operators.test.ts',
  'server/src/voice/dialer/recover/crash.test.ts',
  'server/src/drivers/telephony/asterisk/suite.test.ts',
  'server/src/http/authorisation.test.ts',
  'server/src/voice/dialer/recover/engine-takeover.test.ts',
  'server/src/voice/placement/engine-placement.test.ts',
  'server/src/voice/dialer/recover/crash-notice.test.ts',
  'telephony/end-to-end.test.ts',
  'bench/tenants.test.ts',
  'telephony/trunk-faults.test.ts',
  'server/src/voice/placement/crash-placement.test.ts',
  'server/src/voice/dialer/recover/crash-operators.test.ts',
  'server/src/voice/dialer/session/engine-away.test.ts',
  'server/src/drivers/telephony/asterisk/outage.test.ts',
  'server/src/database-away.test.ts',
  'server/src/voice/dialer/trunks/health/engine-refusing-trunk.test.ts',
  'server/src/voice/dialer/recover/crash-call-now.test.ts',
  'telephony/network-cut.test.ts',
  'telephony/demo.test.ts',
  'server/src/voice/scheduler/capacity/engine-shared.test.ts',
  'telephony/takeover.test.ts',
  'server/src/voice/dialer/audio/engine-recordings.test.ts',
  'telephony/handover.test.ts',
  'telephony/shared-campaign.test.ts',
  'server/src/voice/scheduler/capacity/engine-shared-operators.test.ts',
  'server/src/voice/dialer/trunks/state/engine-trunks.test.ts',
  'server/src/drivers/telephony/asterisk/killed.test.ts',
  'server/src/voice/dialer/trunks/health/engine-refusals.test.ts',
  'server/src/real-input.test.ts',
  'server/src/voice/dialer/recover/crash-shared.test.ts',
  'server/src/voice/dialer/trunks/health/engine-odd-operators.test.ts',
  'server/src/modules/exports/exports-interrupted.test.ts',
  'server/src/voice/dialer/trunks/limits/engine-trunk-rates.test.ts',
  'telephony/refusing-operators.test.ts',
  'server/src/voice/dialer/audio/engine-notice.test.ts',
  'server/src/sms/crash.test.ts',
  'server/src/voice/dialer/call/engine-patch.test.ts',
  'server/src/voice/dialer/recover/engine-kills.test.ts',
  'server/src/modules/limits/limits.test.ts',
  'server/src/voice/dialer/recover/engine-gap.test.ts',
  'server/src/voice/dialer/trunks/state/engine-routes.test.ts',
  'server/src/voice/dialer/trunks/state/engine-operators.test.ts',
].map((file) => path.join(root, file))

/**
 * A fresh checkout has no earlier durations and would start with the largest files; a long one near the end keeps the machine waiting. The
 * others keep the test runner's order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = longest.filter((file) => !fs.existsSync(file))
    if (gone.length > 0) throw new Error(`scripts/longest-first.ts names files that do not exist: ${gone.join(', ')}`)
    const turn = ({ moduleId }: TestSpecification): number => {
      const at = longest.indexOf(moduleId)
      return at === -1 ? longest.length : at
    }
    const order = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => order(one) - order(other) || turn(one) - turn(other))
  }
}
