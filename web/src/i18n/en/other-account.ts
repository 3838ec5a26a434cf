export const texts = {
  otherAccount: (owner: string) =>
    `This page belongs to ${owner}, and nothing that you do here reaches the other account. What you typed stays until you reload the page. To go on as ${owner}, sign in as ${owner} again in the other window.`,
}
