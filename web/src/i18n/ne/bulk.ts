import type { texts as english } from '../en/bulk.ts'

export const texts: typeof english = {
  notDone: (failed, all) => `${all} मध्ये ${failed} भएन`,
  doneOthers: (count) => `${count} भयो। भएनन्:`,
  leftOut: (count) => `छानिएकामध्ये ${count} मा मिल्दैन; ती जस्ताको त्यस्तै रहन्छन्।`,
}
