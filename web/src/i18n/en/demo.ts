/** The note of a demo, loaded with it. */
export const texts = {
  simulator: (times: string) =>
    `No telephone rings: the network is simulated, ${times === '1' ? 'as fast as a real one' : `${times} times faster than real`}.`,
  simulatorMore: 'Costs follow the simulated durations.',
  virtualOperator: 'No telephone rings: calls go over SIP to a virtual operator on this machine.',
  virtualOperatorMore: 'Waits between calls are shortened.',
}
