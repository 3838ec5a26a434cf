import { messages } from '@ghanti/contract/messages.ts'
import { ownFailures } from '../../api/error.ts'

/** The server's exact English messages in Nepali. A message without a line does not compile. */
const nepali = {
  success: 'सफल भयो',
  badInput: 'दिइएको विवरण मिलेन',
  requestFailed: 'अनुरोध असफल भयो! कृपया फेरि प्रयास गर्नुहोस्',
  badCredentials: 'प्रयोगकर्ता नाम वा पासवर्ड मिलेन',
  tokenNotValid: 'सत्र मान्य छैन।',
  tokenExpired: 'सत्रको म्याद सकियो',
  accountExpired: 'खाताको म्याद सकिएको छ',
  notAllowed: 'अनुमति छैन',
  noData: 'कुनै डाटा भेटिएन',
  channelLimit: 'च्यानलको सीमा नाघ्यो',
  wrongLogin: 'प्रयोगकर्ता नाम वा पासवर्ड गलत छ।',
  loginRequired: 'कृपया प्रयोगकर्ता नाम र पासवर्ड लेख्नुहोस्।',
  usernameRequired: 'कृपया प्रयोगकर्ता नाम लेख्नुहोस्',
  passwordRequired: 'कृपया पासवर्ड लेख्नुहोस्',
  confirmRequired: 'कृपया पासवर्ड फेरि लेख्नुहोस्',
  passwordsDiffer: 'दुवै पासवर्ड मिलेनन्',
  wrongUsername: 'प्रयोगकर्ता नाम मिलेन',
  somethingWrong: 'केही गडबड भयो',
  linkSent: 'दर्ता भएको इमेलमा लिङ्क पठाइयो',
  passwordReset: 'पासवर्ड बदलियो',
  passwordResetFailed: 'पासवर्ड बदल्न सकिएन',
  agentRowMissing: 'कृपया एजेन्ट थप्नुहोस्',
  agentRowHalf: 'कृपया एजेन्ट र DTMF थप्नुहोस्',
  agentAndDtmf: 'कृपया एजेन्ट र DTMF छान्नुहोस्',
  stopFailed: 'बन्द गर्न सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  pauseFailed: 'रोक्न सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  resumeFailed: 'फेरि सुरु गर्न सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  retryFailed: 'पुनः डायल गर्न सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  promptDeleteFailed: 'फाइल मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  approvalFailed: 'स्वीकृत गर्न सकिएन',
  rejectFailed: 'अस्वीकृत गर्न सकिएन',
  blacklistDeleteFailed: 'कालोसूचीको नम्बर मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  dialerDeleteFailed: 'डायलर मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  trunkDeleteFailed: 'ट्रङ्क मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  trunkUpdateFailed: 'ट्रङ्क अद्यावधिक गर्न सकिएन',
  planDeleteFailed: 'प्लान मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  rechargeAmount: 'रिचार्ज रकम ० वा सोभन्दा कम हुन सक्दैन',
  rechargeFailed: 'रिचार्ज असफल भयो।',
  noPlanFound: 'कुनै प्लान भेटिएन',
  noPulseFound: 'कुनै पल्स भेटिएन',
  cliMissing: 'कृपया CLI छान्नुहोस्',
  cliRowMissing: 'कृपया CLI थप्नुहोस्',
  cliDeleteFailed: 'CLI मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  cliRemoveFailed: 'CLI हटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  noDialerFound: 'कुनै डायलर भेटिएन',
  noIdFound: 'कुनै ID भेटिएन',
  noFiles: 'कुनै फाइल छैन',
  passwordShort: 'पासवर्ड ८ अक्षरभन्दा छोटो हुनु हुँदैन',
  passwordUnreadable: 'पासवर्ड कसैले पढ्न नसक्ने गरी राखिएको छ। बरु नयाँ पासवर्ड राख्नुहोस्।',
  expiryRequired: 'कृपया म्याद सकिने मिति छान्नुहोस्',
  userCreated: 'प्रयोगकर्ता बन्यो',
  userUpdateFailed: 'प्रयोगकर्ता अद्यावधिक हुन सकेन',
  resetPasswordFailed: 'पासवर्ड बदल्न सकिएन',
  userDeleteFailed: 'प्रयोगकर्ता मेटाउन सकिएन, कृपया फेरि प्रयास गर्नुहोस्',
  reportBeingMade: 'रिपोर्ट तयार हुँदै छ',
} satisfies Record<keyof typeof messages, string>
const nepaliOfOwn = {
  unreachable: 'सर्भरसँग सम्पर्क हुन सकेन। आफ्नो जडान जाँचेर फेरि प्रयास गर्नुहोस्।',
  timedOut: 'सर्भरले समयमा जवाफ दिएन। कृपया फेरि प्रयास गर्नुहोस्।',
  notUnderstood: 'सर्भरको जवाफ बुझिएन। कृपया पृष्ठ फेरि लोड गर्नुहोस्।',
} satisfies Record<keyof typeof ownFailures, string>

function pairs(english: Record<string, string>, translated: Record<string, string>): [string, string][] {
  return Object.entries(english).map(([key, text]) => [text, translated[key] ?? text])
}

/** By English text. */
export const nepaliMessages: readonly [string, string][] = [
  ...pairs(messages, nepali),
  ...pairs(ownFailures, nepaliOfOwn),
]
