/** Enough for whoever asks about a customer's number, too few for whoever wants to know the platform's list. */
export const checkLimit = { points: 20, seconds: 60 }
