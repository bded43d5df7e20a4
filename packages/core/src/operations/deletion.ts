import { z } from 'zod'

/** What the deletion of a record answers with. */
export const deletion = z
  .object({
    id: z.string().describe('Id of the deleted record.'),
    deleted: z.literal(true).describe('Always true.'),
  })
  .meta({ id: 'Deletion', description: 'What was deleted, revoked or ended.' })
