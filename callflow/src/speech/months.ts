import type { Calendar, Language } from '@ghanti/contract/templates.ts'

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

/** Other spellings that people use, besides the words above and the first three letters of an English month. */
const otherSpellings: Record<Calendar, readonly string[]> = {
  ad: [
    'जनवरि जान्युअरी',
    'फेब्रुवरी फेबुअरी फेब्रवरी फरवरी',
    '',
    'एप्रिल अप्रील',
    'मई',
    'जून',
    'जुलाइ',
    'अगष्ट अगस्त',
    'sept सेप्टेम्वर सितम्बर',
    'अक्टुबर अक्टुवर अक्टोवर अक्टूबर',
    'नोभेम्वर नोवेम्बर नभेम्बर नवम्बर',
    'डिसेम्वर दिसम्बर',
  ],
  bs: [
    'baishakh baisakha baishakha baishak vaisakh vaishakh vaishakha बैशाख बैसाख वैसाख',
    'jeth jesth jestha jyestha jyeshtha jeshtha ज्येष्ठ जेष्ठ जेष्ट',
    'asar asaar asadh ashad asad ashar ashadha asadha aashadh आषाढ असाढ अषाढ आसाढ आसार',
    'saun saaun sawan saawan shravan sravan srawan shrawana श्रावण सावन',
    'bhadau bhado bhadrapad bhadrapada भाद्र भाद्रपद',
    'asoj ashoj asauj asouj aswin ashvin आश्विन अश्विन असौज आसोज',
    'kattik kartick kartika karthik कार्तिक कातिक',
    'mangshir mansir marga margashirsha mangsheer मंसिर मंसीर मङ्सीर मंगसिर मङ्गसिर मार्ग मार्गशीर्ष',
    'push pus paush paus pousha poos पुष पूस पौष पौस',
    'mag magha maagh',
    'fagun phagun phalgun phalguna falguna फाल्गुन फाल्गुण',
    'chait chaita chaitya चैत्र',
  ],
}

const calendars = ['ad', 'bs'] as const

/** A name for lookup: in lower case, without an abbreviation's full stop and the joiners that some keyboards insert. */
function plain(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\u200c\u200d]|\.$/g, '')
    .toLowerCase()
}

/** Every spelling of each month with its 'ad:5' or 'bs:5'. */
export const monthSpellings: readonly (readonly [string, string])[] = calendars.flatMap((calendar) =>
  otherSpellings[calendar].flatMap((others, index) => {
    const english = monthWords[calendar].en[index] ?? ''
    const short = calendar === 'ad' ? [english.slice(0, 3)] : []
    const names = [english, ...short, monthWords[calendar].ne[index] ?? '', ...others.split(' ')]
    return names.filter((name) => name !== '').map((name) => [plain(name), `${calendar}:${index + 1}`] as const)
  }),
)
const monthOfName = new Map<string, string>(monthSpellings)

/** 'ad:5' for May, 'bs:8' for Mangsir; undefined for anything else. */
export function readMonthName(text: string): string | undefined {
  return monthOfName.get(plain(text))
}

/**
 * Year, month and day of a date with the month's name, like '22 Nov 2026', '22-Nov-2026', 'November 22nd, 2026' or '२०८३ मङ्सिर ६ गते' in ASCII
 * digits; null for anything else.
 */
export function readNamedDay(text: string): { calendar: Calendar; year: number; month: number; day: number } | null {
  const words = text
    .replace(/,/g, ' ')
    .replace(/(?<=[\p{L}\p{M}\d.])[-/](?=[\p{L}\d])/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !leftOut.has(plain(word)))
  const names = words.flatMap((word) => readMonthName(word) ?? [])
  const years = words.filter((word) => /^\d{4}$/.test(word))
  const days = words.flatMap((word) => /^(\d{1,2})(?:st|nd|rd|th)?$/i.exec(word)?.[1] ?? [])
  const [name = '', year = '', day = ''] = [names[0], years[0], days[0]]
  if (words.length !== 3 || !name || !year || !day) return null
  const [calendar, month] = name.split(':')
  return { calendar: calendar === 'bs' ? 'bs' : 'ad', year: Number(year), month: Number(month), day: Number(day) }
}

/** Words around a date that add nothing to it. */
const leftOut = new Set(['गते', 'साल', 'सन्', 'gate', 'तारिख', 'bs', 'b.s', 'ad', 'a.d', 'वि.सं', 'ई.सं'])
