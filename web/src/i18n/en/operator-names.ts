export const operatorNames = { ntc: 'Nepal Telecom', ncell: 'Ncell', smart: 'Smart Telecom', other: 'Other operators' }
