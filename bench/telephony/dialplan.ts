/** Asterisk alone: it gets call files and executes context `bench` of telephony/etc/bench/extensions.conf. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { callOn, type Load } from './load.ts'
import type { Sink } from './sink.ts'

/** Only Asterisk limits these, and a higher value is not slower. */
const inSetUpMax = 16

export async function callByDialplan(load: Load, of: { spool: string; trunk: string; sink: Sink }): Promise<void> {
  let begun = 0
  const sound = load.prompt?.replace(/\.wav$/, '') ?? ''
  const file = (number: string): string =>
    [
      `Channel: PJSIP/${number}@${of.trunk}`,
      'Context: bench',
      `Extension: ${load.prompt === null ? 'zero' : 'play'}`,
      'Priority: 1',
      `Setvar: PROMPT=${sound}`,
      'MaxRetries: 0',
      'WaitTime: 30',
      '',
    ].join('\n')
  await callOn(load, {
    inSetUpMax,
    standing() {
      const { answered, ended } = of.sink.read()
      return { inSetUp: begun - answered, inProgress: begun - ended }
    },
    begin(number) {
      begun += 1
      const [written, taken] = ['tmp', 'outgoing'].map((folder) => path.join(of.spool, folder, `${number}.call`))
      fs.writeFileSync(written ?? '', file(number))
      fs.renameSync(written ?? '', taken ?? '')
    },
  })
}
