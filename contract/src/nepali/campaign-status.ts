import type { CampaignStatus, Disposition } from '../campaign-status.ts'

export const campaignStatusLabelNe: Record<CampaignStatus, string> = {
  ready: 'तयार',
  processing: 'तयारी हुँदै',
  running: 'चलिरहेको',
  complete: 'सम्पन्न',
  lowBalance: 'ब्यालेन्स कम',
  refused: 'त्रुटि',
  failed: 'त्रुटि',
  cancelling: 'रद्द हुँदै',
  cancelled: 'रद्द भयो',
  pausing: 'पज हुँदै',
  paused: 'पज गरिएको',
  resuming: 'फेरि सुरु हुँदै',
  onHold: 'होल्डमा',
}

export const dispositionLabelNe: Record<Disposition, string> = {
  ANSWER: 'उठ्यो',
  'NO ANSWER': 'उठेन',
  BUSY: 'व्यस्त',
  CONGESTION: 'लाइन जाम',
  FAILED: 'असफल',
  CANCEL: 'रद्द',
  INVALID: 'अमान्य नम्बर',
  REJECTED: 'अस्वीकृत',
  LOST: 'नतिजा थाहा छैन',
}
