export const operatorNames = { ntc: 'नेपाल टेलिकम', ncell: 'एनसेल', smart: 'स्मार्ट टेलिकम', other: 'अरू अपरेटर' }
