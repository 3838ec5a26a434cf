import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { TemplateId } from '@ghanti/contract/template-names.ts'

/** The accounts that compose, with what the demo gives each. */
export const owners = ['user', 'user2', 'client'] as const
export type Owner = (typeof owners)[number]

type Column =
  | 'name'
  | 'place'
  | 'amount'
  | 'date'
  | 'date1'
  | 'date2'
  | 'date3'
  | 'token'
  | 'service_name'
  | 'month'
  | 'client_name'
export type FilePlan = { name: string; rows: number; columns: readonly Column[] }

/** By a key that campaigns use. */
export const files = {
  branch: { owner: 'user', name: 'Customers of Kathmandu', rows: 260, columns: ['name', 'place'] },
  loans: { owner: 'user', name: 'Loan customers', rows: 140, columns: ['name', 'place'] },
  cards: { owner: 'user', name: 'Card holders', rows: 200, columns: ['name', 'place'] },
  applicants: { owner: 'user', name: 'Everybody with a card', rows: 1500, columns: ['name', 'place'] },
  instalments: { owner: 'user', name: 'Instalments due', rows: 70, columns: ['amount', 'date', 'name'] },
  visits: { owner: 'user', name: 'Appointments at the branch', rows: 60, columns: ['date', 'token', 'name'] },
  vehicles: { owner: 'user2', name: 'Vehicle owners', rows: 180, columns: ['name', 'place'] },
  drives: { owner: 'user2', name: 'Test drives', rows: 50, columns: ['date', 'name'] },
  servicing: {
    owner: 'user2',
    name: 'Servicing due',
    rows: 60,
    columns: ['client_name', 'service_name', 'amount', 'month'],
  },
  parents: { owner: 'client', name: 'Parents, all classes', rows: 200, columns: ['name', 'place'] },
  fees: { owner: 'client', name: 'School fees due', rows: 60, columns: ['amount', 'date', 'name'] },
  meetings: { owner: 'client', name: 'Parents’ meetings', rows: 40, columns: ['date1', 'date2', 'date3', 'name'] },
} as const satisfies Record<string, FilePlan & { owner: Owner }>
export type FileKey = keyof typeof files

/** `daysAgo` and `hour` of Nepal's days. */
export type VoicePlan = { daysAgo: number; hour: number; name: string; template: TemplateId; file: FileKey }

const voice = (daysAgo: number, hour: number, name: string, template: TemplateId, file: FileKey): VoicePlan => ({
  daysAgo,
  hour,
  name,
  template,
  file,
})

/** The oldest first, since ids grow with time. Templates are those of contract/template-names.ts. */
export const voicePlans: readonly VoicePlan[] = [
  voice(88, 11, 'Festival greetings', 0, 'branch'),
  voice(86, 15, 'Winter servicing offer', 1, 'vehicles'),
  voice(84, 10, 'School opens on Sunday', 0, 'parents'),
  voice(82, 11, 'Savings account offer', 1, 'branch'),
  voice(79, 14, 'Branch survey', 8, 'loans'),
  voice(76, 13, 'Test drive reminders 1', 4, 'drives'),
  voice(73, 11, 'Instalments of the month 1', 6, 'instalments'),
  voice(70, 10, 'Parents’ meeting 1', 5, 'meetings'),
  voice(67, 12, 'Talk to a loan adviser 1', 2, 'loans'),
  voice(64, 16, 'Exchange offer', 1, 'vehicles'),
  voice(61, 11, 'Debit card renewal', 1, 'cards'),
  voice(58, 10, 'Fees of the month 1', 6, 'fees'),
  voice(55, 10, 'Appointments of the week 1', 3, 'visits'),
  voice(52, 14, 'Servicing due 1', 7, 'servicing'),
  voice(49, 11, 'Mobile banking offer', 1, 'branch'),
  voice(46, 15, 'Showroom invitation', 1, 'vehicles'),
  voice(43, 12, 'Holiday notice', 0, 'parents'),
  voice(40, 11, 'Instalments of the month 2', 6, 'instalments'),
  voice(37, 12, 'Talk to a loan adviser 2', 2, 'loans'),
  voice(34, 13, 'Test drive reminders 2', 4, 'drives'),
  voice(31, 11, 'Credit card offer', 1, 'cards'),
  voice(28, 10, 'Fees of the month 2', 6, 'fees'),
  voice(25, 14, 'Customer survey', 8, 'cards'),
  voice(22, 14, 'Servicing due 2', 7, 'servicing'),
  voice(19, 11, 'New year savings', 1, 'branch'),
  voice(16, 10, 'Parents’ meeting 2', 5, 'meetings'),
  voice(13, 15, 'Insurance with the new car', 1, 'vehicles'),
  voice(11, 10, 'Appointments of the week 2', 3, 'visits'),
  voice(9, 11, 'Instalments of the month 3', 6, 'instalments'),
  voice(7, 12, 'Sports day', 1, 'parents'),
  voice(6, 12, 'Talk to a loan adviser 3', 2, 'loans'),
  voice(5, 16, 'Weekend test rides', 1, 'vehicles'),
  voice(4, 11, 'Fixed deposit offer', 1, 'cards'),
  voice(3, 10, 'Fees of the month 3', 6, 'fees'),
  voice(2, 11, 'Online statements', 1, 'branch'),
  voice(1, 13, 'Servicing camp', 1, 'vehicles'),
  voice(1, 11, 'School picnic', 0, 'parents'),
]

/** What each account calls the keys of its campaigns, by template. */
export const keyNames: Record<Owner, Partial<Record<TemplateId, KeyLabels>>> = {
  user: {
    1: { 1: 'Interested', 2: 'Call me later', 3: 'Not interested' },
    2: { 1: 'Loan adviser' },
    3: { 1: 'I will come' },
    8: { 1: 'Good', 2: 'Fair', 3: 'Poor' },
  },
  user2: { 1: { 1: 'Wants a visit', 2: 'Call later', 3: 'No, thank you' }, 4: { 1: 'I will come' } },
  client: {
    1: { 1: 'आउँछौँ', 2: 'आउँदैनौँ' },
    5: { 1: 'We will come', 2: 'Another day', 3: 'Please call us' },
  },
}

/** Complete since this morning. */
export const voiceToday = { minutesAgo: 190, name: 'New interest rates', template: 1, file: 'loans' } as const
/** What the demo finds in progress. */
export const voiceUnderWay = { minutesAgo: 35, name: 'Card for everybody', template: 1, file: 'applicants' } as const
/** Held by the reseller after it had begun. */
export const voiceHeld = { minutesAgo: 26 * 60, name: 'Winter tyres', template: 1, file: 'drives' } as const
export const voiceScheduled = { name: 'Savings account, second round', template: 1, file: 'branch' } as const

export type SmsPlan = { daysAgo: number; hour: number; name: string; text: string; file: FileKey }
const sms = (daysAgo: number, hour: number, name: string, file: FileKey, text: string): SmsPlan => ({
  daysAgo,
  hour,
  name,
  file,
  text,
})
export const smsPlans: readonly SmsPlan[] = [
  sms(85, 12, 'Festival hours', 'branch', 'हिमाल बैंक: शाखाहरू शुक्रबारसम्म बन्द रहनेछन्। शुभकामना!'),
  sms(
    77,
    10,
    'Offer of the month',
    'vehicles',
    'Pokhara Motors: free check-up of your brakes this week. Call 01-5970002.',
  ),
  sms(66, 9, 'Exam timetable', 'parents', 'फेवा स्कूल: परीक्षाको तालिका विद्यालयको सूचना पाटीमा छ।'),
  sms(57, 12, 'New branch', 'loans', 'Himal Bank: our new branch in Banepa opens on Sunday at 10 am.'),
  sms(
    45,
    10,
    'Spare parts',
    'vehicles',
    'Pokhara Motors: genuine spare parts, 10% off until Friday. Reply STOP to end.',
  ),
  sms(33, 9, 'Bus routes', 'parents', 'Fewa School: bus 3 starts ten minutes earlier from Monday on.'),
  sms(24, 12, 'Card safety', 'cards', 'Himal Bank: never tell anybody your PIN. We do not ask for it.'),
  sms(15, 10, 'Thank you', 'vehicles', 'पोखरा मोटर्स: हामीसँग सर्भिसिङ गर्नुभएकोमा धन्यवाद।'),
  sms(8, 9, 'Report cards', 'parents', 'फेवा स्कूल: शुक्रबार ११ बजे रिपोर्ट कार्ड लिन आउनुहोला।'),
  sms(2, 12, 'App update', 'branch', 'Himal Bank: the new app is ready. Update it from your store.'),
]

/** `rupees` that `to` got from the account above it, and how they were paid. */
type Recharge = {
  daysAgo: number
  to: 'reseller' | 'agency' | Owner
  rupees: number
  mode: string
  reference: string
}
const paid = (daysAgo: number, to: Recharge['to'], rupees: number, mode: string, reference: string): Recharge => ({
  daysAgo,
  to,
  rupees,
  mode,
  reference,
})
export const recharges: readonly Recharge[] = [
  paid(75, 'user2', 2000, 'Bank transfer', 'Invoice 1042'),
  paid(60, 'agency', 3000, 'Cheque', 'Invoice 1051'),
  paid(54, 'client', 1500, 'Cash', 'Receipt 77'),
  paid(48, 'user', 5000, 'Bank transfer', 'Invoice 1063'),
  paid(35, 'reseller', 25_000, 'Bank transfer', 'Order 2051'),
  paid(29, 'user2', 1500, 'Wallet', 'Invoice 1078'),
  paid(20, 'client', 1000, 'Cash', 'Receipt 91'),
  paid(10, 'user', 4000, 'Bank transfer', 'Invoice 1090'),
  paid(4, 'user2', 1000, 'Wallet', 'Invoice 1097'),
]
