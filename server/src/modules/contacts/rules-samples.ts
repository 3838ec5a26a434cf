import { ownValue } from '@ghanti/contract/own-values.ts'

/** Sample files by their name on the wire (docs/api.md#contact-files): the template's columns after mobile, then two example rows. */
const samples: Readonly<Record<string, readonly string[]>> = {
  contacts: ['mobile', '9800000011', '9800000012'],
  consultancy: ['mobile', '9800000011', '9800000012'],
  auto1: ['mobile,date,token', '9800000011,2026-12-01,A12', '9800000012,2026-12-02,A13'],
  auto2: ['mobile,date', '9800000011,2026-12-01', '9800000012,2026-12-02'],
  auto3: [
    'mobile,date1,date2,date3',
    '9800000011,2026-12-01,2026-12-08,2026-12-15',
    '9800000012,2026-12-02,2026-12-09,2026-12-16',
  ],
  insurance1: ['mobile,amount,date', '9800000011,1250.50,2026-12-01', '9800000012,98000,2026-12-02'],
  service_reminder1: [
    'mobile,client_name,service_name,amount,month',
    '9800000011,Sita Sharma,Internet Service,1250.50,12',
    '9800000012,Ram Thapa,Television,400,January',
  ],
}

/** The text of 'sample_auto1.csv', with byte order mark and CRLF; null for an unknown name. */
export function sampleFile(fileName: string): string | null {
  const name = /^sample_(\w+)\.csv$/.exec(fileName)?.[1]
  const lines = name === undefined ? undefined : ownValue(samples, name)
  return lines ? `\ufeff${lines.join('\r\n')}\r\n` : null
}
