import { z } from 'zod'
import { userRecord } from '../users/user-record.ts'

/** What a session goes on with. */
export const tokenPair = z
  .object({
    accessToken: z.string().describe('Access token. Send it as `Authorization: Bearer …`, like an API key.'),
    tokenType: z.literal('Bearer').describe('Token type.'),
    expiresIn: z.int().describe('Lifetime of the access token in seconds.'),
    refreshToken: z.string().describe('Refresh token: single-use, valid for 30 days.'),
  })
  .meta({ id: 'TokenPair', description: 'An access token and a refresh token.' })

/** What somebody gets who has just come in. */
export const signedIn = z
  .object({ user: userRecord.describe('The user who logged in.'), ...tokenPair.shape })
  .meta({ id: 'SignedIn', description: 'The result of logging in.' })
