import { TelephonyError, type CommandReply, type DialerConnection } from '../../../drivers/telephony/driver.ts'

const reason = 'the lease of the dialer is gone'
const lost = async (): Promise<CommandReply> => 'lost'
const refused = async (): Promise<never> => {
  throw new TelephonyError(reason)
}

/**
 * The connection of calls whose lease is lost. It does nothing: the next engine talks to the same channels, and a late command of ours would
 * cut callers off.
 */
export function lostConnection(speed: number): DialerConnection {
  return {
    speed,
    dialsAtOnce: 0,
    roundTripMs: null,
    dial: async () => ({ outcome: 'notSent', reason }),
    play: lost,
    stopPlayback: lost,
    ringingTone: lost,
    bridge: lost,
    playToBridge: lost,
    record: lost,
    deleteRecording: lost,
    setTalkMax: lost,
    hangUp: lost,
    setTrunks: refused,
    trunkStates: refused,
    optionsPing: refused,
    prefetch: refused,
    tidySounds: refused,
    isPlaying: refused,
    fetchRecording: refused,
    storedRecordings: refused,
    live: refused,
    readRecord: refused,
    trimRecord: refused,
    takeTraces: refused,
    rtpOf: refused,
    onEvents: () => undefined,
    close: async () => undefined,
  }
}
