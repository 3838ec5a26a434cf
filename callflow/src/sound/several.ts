/** Why files are refused that were joined so that not all of them would be heard. Continues a sentence that begins with the field's label. */
export const severalRecordings =
  'holds several recordings, one behind the other, in different formats: save each of them as a file of its own'
