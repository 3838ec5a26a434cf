export const texts = {
  preset: {
    label: 'Begin with',
    hint: 'Fills in what such a trunk usually needs, also under ‘Advanced’; the contract decides.',
    none: 'Nothing',
    ask: 'Ask the operator for:',
  },
  presets: {
    ntc: {
      name: 'Nepal Telecom IMS',
      ask: [
        'the SIP domain, and the address of its border (outbound proxy)',
        'user, name for authentication (often user@domain) and password, by digest',
        'which of your numbers have to be registered',
        'whether P-Preferred-Identity names your number, and which caller IDs may be shown',
        'the form of called numbers, and session timers',
        'how many calls at the same time and per second the contract allows, and the addresses of its SIP and RTP',
      ],
    },
    ncell: {
      name: 'Ncell',
      ask: [
        'address and port of its SBC, and a second one if there is any',
        'whether it knows you by your address alone; tell it the public address of the dialer',
        'the form of called numbers and caller IDs, and the header of the caller ID',
        'whether the contract’s number has to be in Diversion',
        'how many calls at the same time and per second the contract allows, and the addresses of its RTP',
      ],
    },
    sbc: {
      name: 'A plain SBC',
      ask: [
        'address, port and transport',
        'whether it knows you by address, or by user and password, and whether you register',
        'codecs, and the form of called numbers and caller IDs',
        'whether it answers OPTIONS, and from where it sends its own',
      ],
    },
    asterisk: {
      name: 'Another Asterisk',
      ask: [
        'address, port and transport',
        'user and password of its endpoint, or that it identifies your address',
        'codecs, and that dtmf_mode is rfc4733',
        'that its dialplan takes your numbers from this endpoint',
      ],
    },
  },
}
