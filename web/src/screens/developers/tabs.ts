/** In the address of /developers (`?tab=webhooks`); the first is the one that opens. */
export const developerTabs = ['keys', 'webhooks', 'deliveries', 'reference'] as const
