import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { deletion } from '../deletion.ts'
import { requireMatch } from '../require-match.ts'
import { lastAdmin, userEventData, visibleUser } from './user-record.ts'
import { userFacts } from './user-schemas.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const deleteUser = defineOperation({
  name: 'deleteUser',
  summary: 'Deletes a user with their sessions, API keys, images and shipments.',
  kind: 'write',
  access: { scope: 'users', role: 'admin' },
  metered: true,
  rest: { method: 'DELETE', path: '/users/{id}' },
  graphql: { mutation: 'deleteUser' },
  input: z.strictObject({ id: userFacts.id }),
  output: deletion,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id }) {
    const user = visibleUser(call.caller, await tx.users.take(id))
    requireMatch(call, user.version)
    if (user.role === 'admin' && (await tx.users.otherAdmins(id)) === 0) throw lastAdmin()
    const images = await tx.images.removeOfUser(id)
    await tx.shipments.removeAllOf(id)
    await tx.users.remove(id)
    call.emit('user.deleted', userEventData(user))
    call.afterCommit(async ({ authenticator, blobs }: AccountServices) => {
      authenticator.forget({ userId: id })
      await Promise.all(images.map((image) => blobs.delete(image)))
    })
    return { id, deleted: true as const }
  },
})
