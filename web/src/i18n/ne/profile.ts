import type { texts as english } from '../en/profile.ts'

export const texts: typeof english = {
  title: 'प्रोफाइल',
  name: 'नाम',
  username: 'प्रयोगकर्ता नाम',
  emailid: 'इमेल',
  number: 'नम्बर',
  company: 'कम्पनी',
  address: 'ठेगाना',
  pincode: 'पिनकोड',
  planName: 'भ्वाइस प्लान',
  noPlan: 'प्लान छैन',
  perPulse: (rupees, seconds) => `${seconds} सेकेन्डको रु ${rupees}`,
  perSms: (rupees) => `SMS को प्रति खण्ड रु ${rupees}`,
  credits: 'क्रेडिट (रु)',
  channels: 'च्यानल',
  unlimited: 'सीमा छैन',
  accountType: 'खाताको प्रकार',
  expiryDate: 'म्याद सकिने मिति',
  neverExpires: 'म्याद सकिँदैन',
  readOnly: 'यी विवरण तपाईंको सेवा प्रदायकले बदल्न सक्छ।',
}
