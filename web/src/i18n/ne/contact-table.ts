import type { texts as english } from '../en/contact-table.ts'

export const texts: typeof english = {
  title: 'नम्बर कुन स्तम्भमा छ?',
  sheetTitle: 'कुन सिट?',
  hint: 'यी फाइलका सुरुका पङ्क्ति हुन्। यहाँ छानेको कुरा यही अपलोडका लागि मात्र हो।',
  sheet: 'सिट',
  header: 'पहिलो पङ्क्तिमा स्तम्भका नाम छन्',
  number: 'नम्बर',
  isNumber: (column) => `स्तम्भ ${column} नम्बर हो`,
  nameOf: (column) => `स्तम्भ ${column} को नाम`,
  keep: 'नाम',
  row: 'पङ्क्ति',
  rows: 'फाइलका सुरुका पङ्क्ति',
  use: 'यी स्तम्भसँगै अपलोड गर्नुहोस्',
  none: 'नम्बर भएको स्तम्भ छान्नुहोस्',
  failed: 'सुरुका पङ्क्ति पढ्न सकिएन',
  fields: { baseFile: 'फाइल', sheet: 'सिट' },
}
