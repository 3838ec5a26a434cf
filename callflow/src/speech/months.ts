import type { Calendar, Language } from '@ghanti/contract/templates.ts'

/** The months as they are said. */
export const monthWords: Record<Calendar, Record<Language, readonly string[]>> = {
  ad: {
    en: 'January February March April May June July August September October November December'.split(' '),
    ne: 'जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर'.split(' '),
  },
  bs: {
    en: 'Baisakh Jestha Ashadh Shrawan Bhadra Ashwin Kartik Mangsir Poush Magh Falgun Chaitra'.split(' '),
    ne: 'वैशाख जेठ असार साउन भदौ असोज कात्तिक मङ्सिर पुस माघ फागुन चैत'.split(' '),
  },
}

/** Other spellings in files, besides the words above and three letters of an English month. */
const otherSpellings: Record<Calendar, readonly string[]> = {
  ad: [
    'जनवरि जान्युअरी',
    'फेब्रुवरी फेबुअरी फरवरी',
    '',
    'एप्रिल अप्रील',
    'मई',
    'जून',
    'जुलाइ',
    'अगष्ट',
    'sept सेप्टेम्वर सितम्बर',
    'अक्टुबर अक्टोवर',
    'नोभेम्वर नोवेम्बर',
    'डिसेम्वर',
  ],
  bs: [
    'baishakh vaisakh vaishakh बैशाख',
    'jeth jyestha ज्येष्ठ जेष्ठ',
    'asar asadh ashad asad ashar आषाढ असाढ',
    'saun sawan shravan srawan श्रावण',
    'bhadau bhadra bhadrapad भाद्र भाद्रपद',
    'asoj ashoj aswin आश्विन',
    'kattik karthik कार्तिक',
    'mangshir mansir marga margashirsha मंसिर मंगसिर मार्ग',
    'push pus paush पुष पौष',
    'mag',
    'fagun phagun phalgun फाल्गुन',
    'chait chaitra चैत्र',
  ],
}

const calendars = ['ad', 'bs'] as const

/** 'ad:5' or 'bs:5' by every spelling of a month's name in small letters. */
const monthOfName = new Map<string, string>(
  calendars.flatMap((calendar) =>
    otherSpellings[calendar].flatMap((others, index) => {
      const english = monthWords[calendar].en[index] ?? ''
      const short = calendar === 'ad' ? [english.slice(0, 3)] : []
      const names = [english, ...short, monthWords[calendar].ne[index] ?? '', ...others.split(' ')]
      return names
        .filter((name) => name !== '')
        .map((name): [string, string] => [name.toLowerCase(), `${calendar}:${index + 1}`])
    }),
  ),
)

/** 'ad:5' for May, 'bs:8' for Mangsir; undefined when it is no month's name. */
export function readMonthName(text: string): string | undefined {
  return monthOfName.get(text.normalize('NFC').toLowerCase())
}
