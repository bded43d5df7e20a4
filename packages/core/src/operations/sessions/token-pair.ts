import { z } from 'zod'
import { userRecord } from '../users/user-record.ts'

/** What a session goes on with. */
export const tokenPair = z
  .object({
    accessToken: z.string().describe('Sent as `Authorization: Bearer …`, wherever an API key could be.'),
    tokenType: z.literal('Bearer').describe('How the access token is sent.'),
    expiresIn: z.int().describe('Seconds that the access token is good for.'),
    refreshToken: z.string().describe('Good for one refresh, for 30 days.'),
  })
  .meta({ id: 'TokenPair', description: 'An access token and a refresh token.' })

/** What somebody gets who has just come in. */
export const signedIn = z
  .object({ user: userRecord.describe('Who has come in.'), ...tokenPair.shape })
  .meta({ id: 'SignedIn', description: 'The result of logging in.' })
