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
    recorder.start()
    return {
      async stop(name) {
        if (recorder.state !== 'inactive') recorder.stop()
        await ended
        release()
        return new File(parts, name, { type: recorder.mimeType })
      },
      cancel() {
        if (recorder.state !== 'inactive') recorder.stop()
        release()
      },
    }
  } catch {
    release()
    throw new NoRecording('unsupported')
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
