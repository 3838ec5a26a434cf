import { noId, type Thing } from './things.ts'

let serial = 0

/** A sender ID that waits for approval. */
export const smsSender: Thing = {
  owners: ['user'],
  async make(app, owner) {
    const { id } = await app.db
      .insertInto('sms_sender')
      .values({ account_id: owner.userId, name: `S${++serial}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A text that waits for approval. */
export const smsText: Thing = {
  owners: ['user'],
  async make(app, owner) {
    const text = { name: `Text ${++serial} of ${owner.username}`, text: 'नमस्ते {name}' }
    const { id } = await app.db
      .insertInto('sms_text')
      .values({ account_id: owner.userId, ...text })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}
