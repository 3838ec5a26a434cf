/** One segment of UCS-2. */
export const nepaliText = 'नमस्ते, तपाईंको खातामा रु. १,२३४.५० जम्मा भयो।'

/** Ten digits of a number that gets a receipt of delivery; distinct up to 5 million. */
export function deliveredNumber(index: number): string {
  return `984${String(Math.floor(index / 50)).padStart(5, '0')}${20 + (index % 50)}`
}
