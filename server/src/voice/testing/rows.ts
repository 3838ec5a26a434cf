import type { DialerRow, TrunkRow } from '../model/campaigns/snapshot.sql.ts'

/** As the database answers them, for tests of what needs no database. */
export function newDialerRow(of: Partial<DialerRow> = {}): DialerRow {
  return {
    id: 1,
    name: 'Dialer',
    driver: 'simulator',
    host: '',
    port: 1,
    cps: 10,
    channels: 100,
    ari_user: null,
    ari_secret_sealed: null,
    tls_fingerprint: null,
    media_folder: null,
    media_url: null,
    removed: false,
    given_up: false,
    ...of,
  }
}

export function newTrunkRow(of: Partial<TrunkRow> = {}): TrunkRow {
  return {
    id: 1,
    dialer_id: 1,
    name: 'Trunk',
    channels: 30,
    cps: 10,
    held_since: null,
    hold_reason: null,
    held_for_refusals: null,
    probes: null,
    next_probe_at: null,
    held_settings: null,
    recent: '',
    takes_cps: null,
    sip_host: null,
    sip_port: null,
    sip_transport: 'udp',
    sip_user: null,
    sip_secret_sealed: null,
    codecs: ['alaw', 'ulaw'],
    cli_format: 'national',
    cli_header: 'auto',
    number_strip: '',
    number_prefix: '',
    registers: false,
    sip_options: {},
    ring_seconds: 45,
    test_number: null,
    contract: null,
    rules: [],
    ...of,
  }
}
