/** What is said of deeds that were done to several rows at once. */
export const texts = {
  notDone: (failed: string, all: string) => `${failed} of ${all} not done`,
  doneOthers: (count: string) => `${count} done. Not done:`,
  leftOut: (count: string) => `${count} of the chosen ones stay as they are, because this is not possible for them.`,
}
