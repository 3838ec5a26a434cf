import type { texts as english } from '../en/date-orders.ts'

export const texts: typeof english = {
  title: (column) => `स्तम्भ ${column} मा 11/05/2026 कुन मिति हो?`,
  orders: { dmy: '२०२६ मे ११', mdy: '२०२६ नोभेम्बर ५' },
  ask: 'यस फाइलका मिति दुई तरिकाले पढ्न मिल्छ। तपाईँले नछानेसम्म ती मिति बोलिँदैनन् र तिनका आधारमा कल जाँदैन।',
  chosen: 'पछि थपिने पङ्क्ति पनि यसै गरी पढिन्छन्।',
  failed: 'मितिको क्रम बदलिएन',
  fields: { dateOrders: 'क्रम', baseId: 'सम्पर्क फाइल' },
}
