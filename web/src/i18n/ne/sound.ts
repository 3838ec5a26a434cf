import type { texts as english } from '../en/sound.ts'

/** In either script. */
const isZero = (figure: string) => figure === '0' || figure === '०'

export const texts: typeof english = {
  play: 'बजाउनुहोस्',
  pause: 'पज गर्नुहोस्',
  position: 'बजिरहेको ठाउँ',
  time: (minutes, seconds) => (isZero(minutes) ? `${seconds} सेकेन्ड` : `${minutes} मिनेट ${seconds} सेकेन्ड`),
  timeOf: (time, length) => `${length} मध्ये ${time}`,
  speed: 'गति',
  times: (times) => `${times}×`,
  download: 'डाउनलोड गर्नुहोस्',
  gone: 'यो फाइल छैन: सर्भरमा अब राखिएको छैन।',
  cannotPlay: 'यो फाइल बजाउन सकिएन। मेटिएको हुन सक्छ।',
}
