/** Enough to ask about a customer's number, too few to explore the platform's list. */
export const checkLimit = { points: 20, seconds: 60 }
