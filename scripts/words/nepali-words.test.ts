import { expect, test } from 'vitest'
import { isTest, sources } from '../tidy-sources.ts'

/** Lines of Nepali that people read: screens, the server's sentences, mails, papers. */
const lines = sources
  .filter(({ file }) => !isTest(file))
  .filter(({ file }) => /^(web\/src\/i18n\/ne|contract\/src\/nepali|server\/src\/modules\/[\w-]+\/rules)/.test(file))
  .flatMap(({ file, text }) => text.split('\n').map((line, at) => ({ where: `${file}:${at + 1}`, line })))
  .filter(({ line }) => /[\u0900-\u097f]/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))

test('the product’s Nepali is read by this test', () => expect(lines.length).toBeGreaterThan(2000))

/** A word that must not be used, and the one to use instead. `unless` matches lines where it means something else. */
type Rule = { not: RegExp; but: string; unless?: RegExp }
const letter = '[\\u0900-\\u0963\\u0970-\\u097f]'
const word = (text: string) => new RegExp(`(?<!${letter})(?:${text})(?!${letter})`)

const terms: Rule[] = [
  { not: /कालोसूची/, but: 'ब्ल्याकलिस्ट: the other is the list of those who do not pay their loans' },
  { not: /प्रेषक/, but: 'कलर आईडी for calls, सेन्डर आईडी for messages' },
  { not: /\bCLI\b/, but: 'कलर आईडी; in the label of the field कलर आईडी (CLI)', unless: /\(CLI\)/ },
  { not: /मौज्दात/, but: 'ब्यालेन्स' },
  { not: /पुनर्विक्रेता/, but: 'रिसेलर' },
  { not: /प्रशासक/, but: 'एडमिन, सुपर एडमिन' },
  { not: /प्रवर्द्धनात्मक|प्रवर्धनात्मक|प्रचारात्मक/, but: 'प्रमोसनल' },
  { not: /कारोबारसम्बन्धी/, but: 'ट्रान्जेक्सनल' },
  { not: /(?<![\u0900-\u097f])धनी|मालिक/, but: 'खातावाला' },
  { not: /हरफ/, but: 'लाइन' },
  { not: /बोल्ने इन्जिन/, but: 'स्पिच इन्जिन' },
  { not: /रेकर्ड गरिएक[ाो] आवाज|भ्वाइस प्याक/, but: 'आवाज सेट' },
  { not: /एकलौटी/, but: 'एउटै खाताको' },
  { not: word('मान|मानहरू'), but: 'विवरण' },
  { not: /कलको लम्बाइ/, but: 'अवधि' },
  { not: /अद्यावधिक/, but: 'सेभ गर्नुहोस्, बदल्नुहोस्, अपडेट' },
  { not: /पर्खाइमा/, but: 'स्वीकृति बाँकी' },
  { not: /साइन (?:इन|आउट)/, but: 'लगइन, लगआउट' },
  { not: /सम्झना/, but: 'रिमाइन्डर' },
  { not: /प्रशोधन/, but: 'तयारी हुँदै' },
  { not: /निर्यात/, but: 'CSV डाउनलोड, एक्सपोर्ट' },
  { not: /फोन (?:राखे|राख्)/, but: 'फोन काटे, कल काट्नुहोस्' },
  { not: /टुङ्ग/, but: 'सकियो, काट्यो' },
  { not: /परीक्षण/, but: 'टेस्ट' },
  { not: /परिणाम/, but: 'नतिजा' },
  { not: word('अंश'), but: 'प्रतिशत' },
  { not: word('पर्दामा'), but: 'स्क्रिनमा' },
  { not: word('ताजा'), but: 'रिफ्रेस' },
  { not: word('सत्र|सत्रको'), but: 'लगइनको समय' },
  { not: word('स्थिति|स्थितिले'), but: 'अवस्था' },
  { not: word('जम्मा'), but: 'कुल', unless: /credits\.ts/ },
  { not: word('खर्च(?! गर्न)'), but: 'शुल्क', unless: /credits\.ts/ },
  { not: /नमुना (?:खाता|ले)/, but: 'डेमो' },
  { not: /एमबी|एसएमएस/, but: 'MB, SMS' },
  { not: /(?<!\.)(?:से|मि)\.(?= |')/, but: 'सेकेन्ड, मिनेट' },
  { not: /\b[Ww]av\b/, but: 'WAV', unless: /\.wav|mp3|(?:no|a) wav file'|only wav files are taken/ },
  { not: /पिनकोड/, but: 'पोस्टल कोड' },
  { not: /अलर्ट/, but: 'चेतावनी' },
  { not: /योजना/, but: 'प्लान', unless: /NPI/ },
  { not: /मुनिका|मुनि यी/, but: 'मातहतका' },
]

const spelling: Rule[] = [
  { not: /तपाईं/, but: 'तपाईँ' },
  { not: /आफैं|सधैं|पठाउँछौं/, but: 'the chandrabindu: आफैँ, सधैँ' },
  { not: /ठिक/, but: 'ठीक' },
  { not: /बैंक|अंक|ट्रंक|लिंक/, but: 'ङ्क: बैङ्क, अङ्क, ट्रङ्क' },
  { not: /इस्वी/, but: 'ईस्वी' },
  { not: /दैछ(?:न्)?(?![\u0900-\u0963\u0970-\u097f])/, but: 'two words: हुँदै छ' },
  { not: /(?:ने|िने) छैन/, but: 'one word: देखिनेछैन' },
  { not: /पर्खिँद|पर्खिन्छ/, but: 'पर्खँदै, पर्खन्छ' },
  { not: /पहिल्यै/, but: 'पहिले नै' },
  { not: /एकै पटक|एकैचोटि/, but: 'एकैपटक' },
  { not: /(?<![\u0900-\u097f])(?:के के|कुन कुन)(?![\u0900-\u097f])/, but: 'के-के, कुन-कुन' },
  { not: /प्रतिमिनेट|प्रतिसेकेन्ड/, but: 'प्रति मिनेट' },
  { not: /जस्ताको तस्तै/, but: 'जस्ताको त्यस्तै' },
  { not: /छाड(?:ि|्)/, but: 'छोड' },
  { not: /को लागि/, but: 'का लागि' },
  { not: /गर्नु पर्/, but: 'one word: गर्नुपर्छ' },
  { not: /[\u0900-\u0963\u0970-\u097f] (?:द्वारा|बाहिरको)(?![\u0900-\u097f])/, but: 'joined to its noun' },
  { not: /डेटाबेस/, but: 'डाटाबेस' },
]

const manners: Rule[] = [
  { not: /निश्चित हो|निश्चित हुनुहुन्छ|के तपाईँ/, but: 'a question is asked as …ने हो?' },
  { not: /(?<![\u0900-\u097f])(?:उनी|उनले|उनको|उनलाई|उनैले)(?![\u0900-\u097f])/, but: 'उहाँ' },
  { not: /(?:एजेन्ट|ग्राहक)ले (?:\S+ )?(?:उठायो|उठाएन|काट्यो|राख्यो)(?![\u0900-\u097f])/, but: 'उठाए, उठाएनन्, काटे' },
  { not: /(?:आईडी|फिर्ता|गर्न) दिनुहोस्'/, but: 'on a button बाँड्नुहोस्, फिर्ता गर्नुहोस्, रोक हटाउनुहोस्' },
  {
    not: /: '(?:रद्द|जाँच|सम्पादन|मेटाउने|सच्याउने|हटाउने)'/,
    but: 'a button is an order: रद्द गर्नुहोस्',
    unless: /cancelled|CANCEL|smsCounts/,
  },
  { not: /'खाली: /, but: 'खाली छोडे …' },
]

const signs: Rule[] = [
  { not: /[}०-९] %/, but: 'no blank before %' },
  { not: /[\u0900-\u0963\u0966-\u097f]\.['`]/, but: 'a danda ends a sentence', unless: /सं\.'|नं\.'/ },
  { not: /«|»|‘[^’]*[\u0900-\u097f]|(?<!\\)'\$?\{[~#]?\w+\}'/, but: 'quotes are “ ”' },
  { not: /[\u0900-\u097f] [।,?:;](?!\s*\$)/, but: 'no blank before a sign', unless: /\(रु\) :| : १/ },
  { not: /\|\||।।/, but: 'one danda', unless: /===|\?/ },
  { not: /\u200d(?!य|ो|ौ)/, but: 'a joiner stands in र्‍य alone' },
  { not: /[\u0966-\u096f][0-9]|[0-9][\u0966-\u096f]/, but: 'one script of digits in a number' },
  { not: /(?:SIP |: )'?[०-९]{3}:/, but: 'codes are looked up: 401, not ४०१' },
]

const rules = [...terms, ...spelling, ...manners, ...signs]
test.each(rules.map((rule) => ({ ...rule, name: rule.not.source })))(
  '$name is not written: $but',
  ({ not, unless }) => {
    const found = lines.filter(({ where, line }) => not.test(line) && !unless?.test(`${where} ${line}`))
    expect(found.map(({ where, line }) => `${where} ${line.trim()}`)).toEqual([])
  },
)
