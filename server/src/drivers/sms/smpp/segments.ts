import type { OutgoingMessage, SmppSettings } from '../driver.ts'
import { encodingFor } from './texts.ts'

type Fields = Readonly<Record<string, unknown>>
const wantsReceipt = 1
const hasHeader = 0x40
/** The header of one of several parts, with a reference of one byte; the contract's 153 and 67 leave room for it. */
const headerBytes = 6

/** submit_sm's fields for each segment, or the letter that cannot be written. `reference` distinguishes long messages to one number. */
export function segmentsFor(
  settings: SmppSettings,
  message: OutgoingMessage,
  reference: number,
): Fields[] | { lacks: string } {
  const encoded = encodingFor(message.text, settings.alphabet)
  if ('lacks' in encoded) return encoded
  const { parts, coding } = encoded
  const common = { ...addressesOf(settings, message), data_coding: coding.dataCoding }
  const [only] = parts
  if (only !== undefined && parts.length === 1) return [{ ...common, short_message: coding.encode(only, 0) }]
  if (settings.longMessages === 'payload')
    return [{ ...common, short_message: Buffer.alloc(0), message_payload: coding.encode(message.text, 0) }]
  return parts.map((part, index) => {
    if (settings.longMessages === 'sar')
      return {
        ...common,
        short_message: coding.encode(part, 0),
        sar_msg_ref_num: reference & 0xffff,
        sar_total_segments: parts.length,
        sar_segment_seqnum: index + 1,
      }
    const header = Buffer.from([headerBytes - 1, 0, 3, reference & 0xff, parts.length, index + 1])
    const text = coding.encode(part, headerBytes)
    return { ...common, esm_class: hasHeader, short_message: Buffer.concat([header, text]) }
  })
}

function addressesOf(settings: SmppSettings, { from, to }: OutgoingMessage): Fields {
  const byForm = sourceOf(from)
  return {
    service_type: settings.serviceType,
    source_addr_ton: settings.sourceTon ?? byForm.ton,
    source_addr_npi: settings.sourceNpi ?? byForm.npi,
    source_addr: from,
    dest_addr_ton: settings.destTon,
    dest_addr_npi: settings.destNpi,
    destination_addr: to,
    esm_class: 0,
    registered_delivery: wantsReceipt,
  }
}

/** SMPP 3.4, 5.2.5: alphanumeric, a short code of the network, international, national. */
function sourceOf(from: string): { ton: number; npi: number } {
  if (!/^\d+$/.test(from)) return { ton: 5, npi: 0 }
  if (from.length <= 6) return { ton: 3, npi: 0 }
  return from.startsWith('977') ? { ton: 1, npi: 1 } : { ton: 2, npi: 1 }
}
