/** By the hour in Nepal. */
export function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 12) return 'morning'
  return hour >= 12 && hour < 17 ? 'afternoon' : 'evening'
}

/** 'Sita' of 'Sita Sharma'. */
export function firstNameOf(name: string): string {
  return name.trim().split(/\s/)[0] ?? ''
}
