import type { CampaignStatus, Disposition } from '../campaign-status.ts'

export const campaignStatusLabelNe: Record<CampaignStatus, string> = {
  ready: 'तयार',
  processing: 'प्रशोधन हुँदै',
  running: 'चलिरहेको',
  complete: 'सम्पन्न',
  lowBalance: 'मौज्दात कम',
  refused: 'त्रुटि',
  failed: 'त्रुटि',
  cancelling: 'रद्द हुँदै',
  cancelled: 'रद्द भयो',
  pausing: 'रोकिँदै',
  paused: 'रोकिएको',
  resuming: 'फेरि सुरु हुँदै',
  onHold: 'होल्डमा',
}

export const dispositionLabelNe: Record<Disposition, string> = {
  ANSWER: 'उठाइयो',
  'NO ANSWER': 'उठाइएन',
  BUSY: 'व्यस्त',
  CONGESTION: 'लाइन जाम',
  FAILED: 'असफल',
  CANCEL: 'रद्द',
  INVALID: 'अमान्य नम्बर',
  REJECTED: 'अस्वीकृत',
  LOST: 'थाहा नभएको',
}
