import { read } from '@fairlead/core'
import { type BodyHold, type BodyRoom, smallBodyBytes } from '@fairlead/http'
import * as z from 'zod'
import type { OpenCall } from '@fairlead/core/adapter'
import type { GraphqlContext } from '../context.ts'

/** Used only to learn whose body it is. The operations of the document authenticate on their own. */
const identifyCaller = read({
  name: 'identifyCaller',
  summary: 'Identifies the caller.',
  access: { anonymous: true },
  metered: false,
  input: z.strictObject({}),
  output: z.strictObject({}),
  run: async () => ({}),
})

/** Begins to hold room for a body. @param declaredBytes its length; undefined if it is not known yet */
export function holdBody(room: BodyRoom, context: GraphqlContext, declaredBytes: number | undefined) {
  const isSmall = declaredBytes !== undefined && declaredBytes <= smallBodyBytes
  return isSmall ? held(room, context, undefined) : holdForAccount(room, context)
}

async function holdForAccount(room: BodyRoom, context: GraphqlContext): Promise<BodyHold> {
  const { core, requestId, address } = context
  let call: OpenCall | undefined
  const onCall = (begun: OpenCall) => void (call = begun)
  await core.run(identifyCaller, await context.credentials, {}, { requestId, address, onCall })
  return held(room, context, call)
}

function held(room: BodyRoom, { address, outcome }: GraphqlContext, call: OpenCall | undefined): BodyHold {
  const account = call?.caller.kind === 'account' ? call.caller.userId : undefined
  return (outcome.bodyHold = room.hold({ address, account }))
}
