import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { WorkKind } from './modules/limits/rules.ts'

/** Routes whose whole request is such work, counted before its body is read. The preview of a file is not here: mostly it is answered from what is known. */
export const limitedRoutes: Partial<Record<RouteKey, WorkKind>> = {
  'users.register': 'newPasswords',
  'users.registerWithBrand': 'newPasswords',
  'users.resetPassword': 'newPasswords',
  'prompts.upload': 'sounds',
  'voices.upload': 'sounds',
  'contacts.paste': 'contactFiles',
  'contacts.baseUpload': 'contactFiles',
  'contacts.refusedFile': 'contactFiles',
  'blacklist.upload': 'contactFiles',
  'blacklist.add': 'blacklistNumbers',
  'blacklist.delete': 'blacklistNumbers',
  'blacklist.deleteMany': 'blacklistNumbers',
  'previewCalls.composed': 'previews',
  'previewCalls.ofCampaign': 'previews',
  'testCalls.composed': 'previews',
  'testCalls.ofCampaign': 'previews',
  'blacklist.refusedFile': 'exports',
  'voiceCampaigns.refusedCsv': 'exports',
  'voiceCampaigns.exportCsv': 'exports',
  'users.listCsv': 'exports',
  'lines.exportCsv': 'exports',
  'answers.keysCsv': 'exports',
  'answers.dropOffCsv': 'exports',
  'credits.statementCsv': 'exports',
  'credits.historyCsv': 'exports',
  'audit.csv': 'exports',
  'reports.generate': 'exports',
  'find.find': 'searches',
}
