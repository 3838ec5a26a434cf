import type { Network } from './network.ts'
import type { Handlers } from './protocol.ts'

export function handlersOf(network: Network): Handlers {
  return {
    setTrunks: ({ trunks }) => {
      network.trunks.set(trunks)
      return {}
    },
    trunkStates: () => network.trunks.states(),
    optionsPing: ({ trunk }) => network.trunks.ping(trunk),
    dial: (request) => network.dial(request),
    play: ({ channelId, playbackId, media }) => network.play(channelId, playbackId, media),
    stopPlayback: ({ playbackId }) => network.stopPlayback(playbackId),
    isPlaying: ({ playbackId }) => network.isPlaying(playbackId),
    ringingTone: ({ channelId, isOn }) => network.ringingTone(channelId, isOn),
    bridge: ({ bridgeId, channelIds }) => network.bridge(bridgeId, channelIds),
    playToBridge: ({ bridgeId, playbackId, media }) => network.playToBridge(bridgeId, playbackId, media),
    record: ({ bridgeId, recordingId }) => network.startRecording(bridgeId, recordingId),
    recordingMs: ({ recordingId }) => network.recordingMs(recordingId),
    deleteRecording: ({ recordingId }) => network.deleteRecording(recordingId),
    storedRecordings: () => network.storedRecordings(),
    setTalkMax: ({ channelId, talkMsMax }) => network.setTalkMax(channelId, talkMsMax),
    hangUp: ({ channelId }) => network.hangUp(channelId),
    live: () => network.live(),
    readRecord: async ({ since }) => ({ upSince: network.upSince, channels: await network.record.read(since) }),
    trimRecord: ({ before }) => {
      network.record.trim(before, Date.now())
      return {}
    },
    takeTraces: ({ channelIds }) => network.traces.take(channelIds),
    rtpOf: ({ channelId }) => network.rtpOf(channelId),
    setTrunkFault: ({ trunk, fault, host }) => {
      network.trunks.setFault(trunk, fault, host)
      return {}
    },
    setTrunkLimit: ({ trunk, limit }) => {
      network.trunks.setLimit(trunk, limit)
      return {}
    },
    setTrunkFlaw: ({ trunk, flaw }) => {
      network.trunks.setFlaw(trunk, flaw)
      return {}
    },
    transcript: ({ channelId }) => network.transcript(channelId),
  }
}
