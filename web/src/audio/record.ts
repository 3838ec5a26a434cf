import { ownValue } from '@ghanti/contract/own-values.ts'

export type RecordingFault = 'insecure' | 'unsupported' | 'refused' | 'noMicrophone' | 'busy'
export class NoRecording extends Error {
  readonly fault: RecordingFault
  constructor(fault: RecordingFault) {
    super(fault)
    this.fault = fault
  }
}

export type Recording = {
  stop: (name: string) => Promise<File>
  cancel: () => void
  /** How loud it is now, 0 to 1 over 60 dB. */
  level: () => number
}

const faultOf: Readonly<Record<string, RecordingFault>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'noMicrophone',
  OverconstrainedError: 'noMicrophone',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

/** Records from the microphone, for which the browser asks permission. Throws NoRecording. */
export async function startRecording(): Promise<Recording> {
  if (!window.isSecureContext) throw new NoRecording('insecure')
  if (!('mediaDevices' in navigator) || !('MediaRecorder' in window)) throw new NoRecording('unsupported')
  const stream = await microphone()
  const release = () => stream.getTracks().forEach((track) => track.stop())
  try {
    const parts: Blob[] = []
    const recorder = new MediaRecorder(stream)
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()))
    const meter = meterOf(stream)
    recorder.start()
    return {
      level: meter.level,
      async stop(name) {
        if (recorder.state !== 'inactive') recorder.stop()
        await ended
        release()
        meter.close()
        return new File(parts, name, { type: recorder.mimeType })
      },
      cancel() {
        if (recorder.state !== 'inactive') recorder.stop()
        release()
        meter.close()
      },
    }
  } catch {
    release()
    throw new NoRecording('unsupported')
  }
}

const quietest = -60

function meterOf(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level() {
      analyser.getFloatTimeDomainData(samples)
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      return Math.min(1, Math.max(0, 1 - (20 * Math.log10(peak)) / quietest))
    },
    close: () => void context.close(),
  }
}

async function microphone(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true },
    })
  } catch (error) {
    throw new NoRecording(ownValue(faultOf, error instanceof DOMException ? error.name : '') ?? 'unsupported')
  }
}
