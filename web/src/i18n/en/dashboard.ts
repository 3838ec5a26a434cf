export const texts = {
  title: 'Dashboard',
  greetings: {
    morning: (name: string) => `Good morning, ${name}`,
    afternoon: (name: string) => `Good afternoon, ${name}`,
    evening: (name: string) => `Good evening, ${name}`,
  },
  overview: 'Overview',
  totalVoiceCampaigns: 'Total Voice Campaigns',
  totalCalls: 'Total Calls',
  connectedCalls: 'Connected Calls',
  ofCampaigns: 'of campaigns; Call Now and test calls not included',
  balanceAvailable: 'Balance Available(Rs)',
  totalResellers: 'Total Resellers',
  totalEndUsers: 'Total End Users',
  creditsAvailable: 'Credits Available',
  runningCampaigns: 'Running Campaigns',
  username: 'Username',
}
