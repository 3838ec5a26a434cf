/** Made-up people, as the demo's contact files name them. */
export const givenNames = [
  'सीता',
  'राम',
  'गीता',
  'हरि',
  'माया',
  'बिष्णु',
  'सरिता',
  'प्रकाश',
  'अनिता',
  'सुरेश',
  'कमला',
  'दीपक',
  'सुनिता',
  'राजेश',
  'निर्मला',
  'गोपाल',
  'शान्ति',
  'बिकास',
  'पार्वती',
  'सन्तोष',
] as const

export const familyNames = [
  'शर्मा',
  'श्रेष्ठ',
  'तामाङ',
  'गुरुङ',
  'राई',
  'मगर',
  'अधिकारी',
  'थापा',
  'कार्की',
  'लामा',
  'पौडेल',
  'बस्नेत',
  'चौधरी',
  'शेर्पा',
  'भट्टराई',
] as const

export const places = ['काठमाडौँ', 'ललितपुर', 'भक्तपुर', 'पोखरा', 'बनेपा', 'हेटौँडा', 'धरान', 'बुटवल'] as const

/** Few of each, because every value is spoken once for all rows that have it. */
export const clients = ['Sita Sharma', 'Ram Thapa'] as const
export const amounts = ['1250.50', '2400', '7500'] as const
export const tokens = ['A12', 'A13', 'B7'] as const
