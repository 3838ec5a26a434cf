const counted = (count: string, unit: string) => `${count} ${unit}${count === '1' ? '' : 's'}`

export const texts = {
  play: 'Play',
  pause: 'Pause',
  position: 'Position',
  /** A time in words, for screen readers. */
  time: (minutes: string, seconds: string) =>
    minutes === '0' ? counted(seconds, 'second') : `${counted(minutes, 'minute')} ${counted(seconds, 'second')}`,
  timeOf: (time: string, length: string) => `${time} of ${length}`,
  speed: 'Speed',
  times: (times: string) => `${times}×`,
  download: 'Download',
  gone: 'This file is gone: the server does not have it any more.',
  cannotPlay: 'This file cannot be played. It may have been deleted.',
}
